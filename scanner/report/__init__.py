"""Terminal tables, annotated pictures, JSON."""
