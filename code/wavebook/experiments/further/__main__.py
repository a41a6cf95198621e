"""``python -m wavebook.experiments.further``: run the jobs that have no result yet, and write down all."""

from wavebook.experiments.command import train_and_record
from wavebook.experiments.further.plan import jobs, run
from wavebook.experiments.further.record import record

if __name__ == "__main__":
    train_and_record(__doc__, jobs(), run, record, called="jobs")
