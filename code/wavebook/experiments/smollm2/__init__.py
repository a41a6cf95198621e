"""A published language model under the same lens; `plan.md` says what was run and what would have refuted it."""
