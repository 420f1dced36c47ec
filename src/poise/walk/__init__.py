"""The walker: a character driven over uneven ground."""
