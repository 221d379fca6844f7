"""Local white and crops, straight from the photo."""
