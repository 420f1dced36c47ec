"""What every test shares: one hypothesis profile."""

from hypothesis import settings

# No deadline: the first call of a kernel may have to compile it.
settings.register_profile("poise", deadline=None, max_examples=50, print_blob=True)
settings.load_profile("poise")
