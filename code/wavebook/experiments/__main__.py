"""``python -m wavebook.experiments``: train what is not yet trained, and write down what there is."""

from wavebook.experiments.command import train_and_record
from wavebook.experiments.plan import run, settings
from wavebook.experiments.record import record

if __name__ == "__main__":
    train_and_record(__doc__, settings(), run, record, called="settings")
