"""What every test folder shares."""

import signal

from hypothesis import settings

# a busy machine is no fault of the code under test
settings.register_profile("steady", deadline=None)
settings.load_profile("steady")

# a shell lets what it starts in the background ignore interrupts, nohup lets it ignore hang-ups, and what a test starts would
# inherit that
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
