"""What the book *Waves of Position* shows, made with the tool `posenc`.

`examples` and `palette` are its data and colors; `figures`, `explorers`, `proofs`, `claims`, `exercises` and
`experiments` are what a page draws, moves, proves, checks, asks and reports; `attention`, `weights`,
`recurrence`, `initialization` and `torus` are written to be read, and `say` hands numbers to sentences.
"""
