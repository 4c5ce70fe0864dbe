"""The tables that the recorded requests speak of, and what must be in them."""


def _table(name, keys, types, **more):
    key_schema = [{"AttributeName": key, "KeyType": kind}
                  for key, kind in zip(keys, ["HASH", "RANGE"])]
    return {"TableName": name, "BillingMode": "PAY_PER_REQUEST", "KeySchema": key_schema,
            "AttributeDefinitions": [{"AttributeName": attribute, "AttributeType": type_}
                                     for attribute, type_ in types.items()], **more}


def _index(name, hash_keys, range_keys, *projected):
    projection = ({"ProjectionType": "INCLUDE", "NonKeyAttributes": list(projected)} if projected
                  else {"ProjectionType": "ALL"})
    return {"IndexName": name, "Projection": projection,
            "KeySchema": [{"AttributeName": key, "KeyType": "HASH"} for key in hash_keys] +
                         [{"AttributeName": key, "KeyType": "RANGE"} for key in range_keys]}


TABLES = [
    _table("HASH", ["pk"], {"pk": "S"}),
    _table("HASH_N", ["pk"], {"pk": "N"}),
    _table("HASH_B", ["pk"], {"pk": "B"}),
    _table("COMPOSITE", ["pk", "sk"], {"pk": "S", "sk": "S"}),
    _table("COMPOSITE_N", ["pk", "sk"], {"pk": "S", "sk": "N"}),
    _table("COMPOSITE_B", ["pk", "sk"], {"pk": "S", "sk": "B"}),
    _table("COMPOSITE_INDEXED", ["pk", "sk"],
           {"pk": "S", "sk": "S", "lsi1sk": "S", "lsi2sk": "S"},
           LocalSecondaryIndexes=[_index("lsi1", ["pk"], ["lsi1sk"]),
                                  _index("lsi2", ["pk"], ["lsi2sk"], "lsi1sk")],
           GlobalSecondaryIndexes=[_index("gsi1", ["lsi1sk"], []),
                                   _index("gsi2", ["lsi1sk"], ["lsi2sk"], "data")]),
    _table("GSI_B", ["pk"], {"pk": "S", "bidx": "B"},
           GlobalSecondaryIndexes=[_index("gsib", ["bidx"], [])]),
    _table("MULTI", ["pk"], {"pk": "S", "h": "S", "a": "S", "b": "S", "c": "S"},
           GlobalSecondaryIndexes=[_index("gsi", ["h"], ["a", "b", "c"])]),
    _table("MULTI_HASH", ["pk"], {"pk": "S", "h1": "S", "h2": "S"},
           GlobalSecondaryIndexes=[_index("gsi", ["h1", "h2"], [])]),
    _table("CFG11", ["pk"], {"pk": "S"}, DeletionProtectionEnabled=True),
]

# The conditions of the recorded transactions fail because these are there.
ITEMS = [("HASH", {"pk": {"S": "em-twi-multi-1"}}), ("HASH", {"pk": {"S": "em-twi-multi-2"}}),
         ("HASH", {"pk": {"S": "pq-fn-msg"}, "ss": {"SS": ["a", "b"]}, "ns": {"NS": ["1"]},
                   "s": {"S": "s"}, "m": {"M": {"inner": {"SS": ["x"]}}}})]
