"""The games' rules, without pixels: one package a game."""
