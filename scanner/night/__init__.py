"""A game night: many photos, several sheets each, to games with their standings."""
