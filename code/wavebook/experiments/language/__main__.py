"""``python -m wavebook.experiments.language``: train what has no result yet, and write down all."""

from wavebook.experiments.command import train_and_record
from wavebook.experiments.language.plan import cells, run
from wavebook.experiments.language.record import record

if __name__ == "__main__":
    train_and_record(__doc__, cells(), run, record, called="cells")
