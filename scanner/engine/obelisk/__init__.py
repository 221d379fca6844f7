"""Shadow of the Obelisk."""
