"""The input of a Transformer, as in the paper's base model; needs torch. The chapter shows it."""

import math

import torch
from torch import nn

from posenc.pytorch import PositionalEncoding

torch.manual_seed(0)
d_model, vocabulary = 512, 37_000
embed = nn.Embedding(vocabulary, d_model)
nn.init.normal_(embed.weight, std=d_model**-0.5)
encode = PositionalEncoding(d_model, dropout=0.1)

words = torch.randint(vocabulary, (32, 100))  # (batch, length): indices
x = encode(embed(words) * math.sqrt(d_model))  # (batch, length, d_model)
print(encode)
print("input", tuple(words.shape), "output", tuple(x.shape), x.dtype)
print("parameters:", list(encode.parameters()), " saved:", dict(encode.state_dict()))

room = len(encode.table)
encode(torch.zeros(1, 7000, d_model))
print("room for positions:", room, "and after an input of 7000:", len(encode.table))
