"""``python -m wavebook.experiments.cliff``: run the trials that have no result yet, and write down all."""

from wavebook.experiments.cliff.plan import run, trials
from wavebook.experiments.cliff.record import record
from wavebook.experiments.command import train_and_record

if __name__ == "__main__":
    train_and_record(__doc__, trials(), run, record, called="trials")
