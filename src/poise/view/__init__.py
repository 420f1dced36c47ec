"""Pictures of figures: bodies, a small renderer, and what is drawn over them."""
