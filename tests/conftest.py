"""What every test folder shares."""

from hypothesis import settings

# a busy machine is no fault of the code under test
settings.register_profile("steady", deadline=None)
settings.load_profile("steady")
