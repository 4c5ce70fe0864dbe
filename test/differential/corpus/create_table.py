"""CreateTable: schemas, indexes, throughput, streams, and what is wrong with them."""

from corpus.tables import attributes, index, schema
from exchange import Request
from scene import Scene, Unseen


def table(**more):
    body = {"TableName": "fresh", "KeySchema": schema("pk"),
            "AttributeDefinitions": attributes(pk="S"),
            "BillingMode": "PAY_PER_REQUEST", **more}
    return {name: value for name, value in body.items() if value is not None}


def throughput(read=1, write=1):
    return {"ReadCapacityUnits": read, "WriteCapacityUnits": write}


def provisioned(**more):
    return table(**{"BillingMode": None, "ProvisionedThroughput": throughput(), **more})


def globals_(*indexes, **types):
    return table(AttributeDefinitions=attributes(pk="S", **types),
                 GlobalSecondaryIndexes=list(indexes))


def locals_(*indexes, **types):
    return table(KeySchema=schema("pk", "sk"),
                 AttributeDefinitions=attributes(pk="S", sk="S", **types),
                 LocalSecondaryIndexes=list(indexes))


KEYS_ONLY = {"ProjectionType": "KEYS_ONLY"}
GOOD = [
    table(), provisioned(), table(KeySchema=schema("pk", "sk"),
                                  AttributeDefinitions=attributes(pk="S", sk="N")),
    table(KeySchema=schema("pk", "sk"), AttributeDefinitions=attributes(sk="B", pk="N")),
    table(StreamSpecification={"StreamEnabled": False}), table(SSESpecification={"Enabled": False}),
    *[table(StreamSpecification={"StreamEnabled": True, "StreamViewType": kind})
      for kind in ("KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES")],
    table(DeletionProtectionEnabled=True), table(DeletionProtectionEnabled=False),
    table(TableClass="STANDARD"),
    table(TableClass="STANDARD_INFREQUENT_ACCESS"), provisioned(BillingMode="PROVISIONED"),
    table(Tags=[]),
    globals_(index("gsi", "g"), g="S"), globals_(index("gsi", "g", "pk"), g="N"),
    globals_(index("gsi", "g", "h", KEYS_ONLY), g="S", h="B"),
    globals_(index("gsi", "g", None, {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x", "y"]}),
             g="S"),
    globals_(index("gsi", "g"), index("other", "pk", "g"), g="S"),
    locals_(index("lsi", "pk", "l"), l="N"),
    locals_(index("lsi", "pk", "l", KEYS_ONLY), index("lsi2", "pk", "m"), l="N", m="S"),
    globals_(*[index(f"gsi{i:02}", "g") for i in range(20)], g="S"),
    locals_(*[index(f"lsi{i}", "pk", "l") for i in range(5)], l="S"),
    provisioned(AttributeDefinitions=attributes(pk="S", g="S"), GlobalSecondaryIndexes=[
        {**index("gsi", "g"), "ProvisionedThroughput": throughput(2, 3)}]),
    table(TableName="abc"), table(TableName="x" * 255), table(TableName="A-b_c.9"),
    table(OnDemandThroughput={"MaxReadRequestUnits": 5, "MaxWriteRequestUnits": 6}),
    table(KeySchema=schema("p" * 255), AttributeDefinitions=attributes(**{"p" * 255: "S"})),
]

BAD = [
    {}, table(TableName=None), table(KeySchema=None), table(AttributeDefinitions=None),
    table(BillingMode=None),
    table(TableName="ab"), table(TableName=""), table(TableName="x" * 256), table(TableName="a b"),
    table(TableName="ä" * 5),
    table(TableName="arn:aws:dynamodb:ddblocal:000000000000:table/fresh"), table(KeySchema=[]),
    table(AttributeDefinitions=[]),
    table(KeySchema=[{}]), table(KeySchema=[{"AttributeName": "pk"}]),
    table(KeySchema=[{"KeyType": "HASH"}]),
    table(KeySchema=[{"AttributeName": "pk", "KeyType": "RANGE"}]),
    table(KeySchema=[{"AttributeName": "pk", "KeyType": "SORT"}]),
    table(KeySchema=schema("pk") * 2), table(KeySchema=schema("pk", "pk")),
    table(KeySchema=schema("pk", "sk") + schema("x")),
    table(KeySchema=list(reversed(schema("pk", "sk"))),
          AttributeDefinitions=attributes(pk="S", sk="S")),
    table(KeySchema=schema("pk") + schema("sk"), AttributeDefinitions=attributes(pk="S", sk="S")),
    table(KeySchema=[{"AttributeName": "", "KeyType": "HASH"}]),
    table(KeySchema=schema("p" * 256), AttributeDefinitions=attributes(**{"p" * 256: "S"})),
    table(KeySchema=schema("other")), table(KeySchema=schema("pk", "sk")),
    table(AttributeDefinitions=attributes(pk="S", extra="S")),
    table(AttributeDefinitions=attributes(pk="X")),
    table(AttributeDefinitions=attributes(pk="BOOL")),
    table(AttributeDefinitions=attributes(pk="")),
    table(AttributeDefinitions=[{}]), table(AttributeDefinitions=[{"AttributeName": "pk"}]),
    table(AttributeDefinitions=attributes(pk="S") * 2),
    table(AttributeDefinitions=attributes(pk="S") + attributes(pk="N")),
    table(AttributeDefinitions=attributes(x="S")),
    table(BillingMode="FREE"), table(BillingMode="PROVISIONED"),
    table(ProvisionedThroughput=throughput()), table(ProvisionedThroughput={}),
    provisioned(ProvisionedThroughput={"ReadCapacityUnits": 1}),
    provisioned() | {"ProvisionedThroughput": throughput(0, 1)},
    provisioned() | {"ProvisionedThroughput": throughput(-1, -1)},
    provisioned() | {"ProvisionedThroughput": throughput(1000000000001, 1)},
    provisioned() | {"ProvisionedThroughput": throughput("1", 1)},
    provisioned() | {"ProvisionedThroughput": throughput(1.5, 1)},
    provisioned() | {"ProvisionedThroughput": throughput(9223372036854775807, 1)},
    table(StreamSpecification={}), table(StreamSpecification={"StreamEnabled": True}),
    table(StreamSpecification={"StreamEnabled": True, "StreamViewType": "ALL"}),
    table(StreamSpecification={"StreamEnabled": False, "StreamViewType": "KEYS_ONLY"}),
    table(TableClass="CHEAP"),
    table(SSESpecification={"Enabled": True, "SSEType": "X"}), table(Tags=[{"Key": "a"}]),
    table(Tags=[{"Key": "", "Value": "b"}]),
    table(GlobalSecondaryIndexes=[]), table(LocalSecondaryIndexes=[]), globals_({}),
    globals_({"IndexName": "gsi"}),
    globals_(index("gsi", "g")), globals_(index("gs", "g"), g="S"),
    globals_(index("g i", "g"), g="S"), globals_(index("gsi", "g"), index("gsi", "g"), g="S"),
    globals_(index("gsi", "g", None, {}), g="S"),
    globals_(index("gsi", "g", None, {"ProjectionType": "SOME"}), g="S"),
    globals_(index("gsi", "g", None, {"ProjectionType": "INCLUDE"}), g="S"),
    globals_(index("gsi", "g", None, {"ProjectionType": "INCLUDE", "NonKeyAttributes": []}), g="S"),
    globals_(index("gsi", "g", None, {"ProjectionType": "ALL", "NonKeyAttributes": ["x"]}), g="S"),
    globals_(index("gsi", "g", None, {"ProjectionType": "KEYS_ONLY", "NonKeyAttributes": ["x"]}),
             g="S"),
    globals_(index("gsi", "g", None, {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x", "x"]}),
             g="S"),
    globals_(index("gsi", "g", None, {"ProjectionType": "INCLUDE", "NonKeyAttributes": [""]}),
             g="S"),
    globals_(index("gsi", "g", None,
                   {"ProjectionType": "INCLUDE", "NonKeyAttributes": [f"a{i}" for i in range(21)]}),
             g="S"),
    globals_(index("gsi", "g", "g"), g="S"),
    globals_({**index("gsi", "g"), "KeySchema": []}, g="S"),
    globals_({**index("gsi", "g"), "KeySchema": [{"AttributeName": "g", "KeyType": "RANGE"}]},
             g="S"),
    globals_({**index("gsi", "g"), "ProvisionedThroughput": throughput()}, g="S"),
    globals_(*[index(f"gsi{i:02}", "g") for i in range(21)], g="S"),
    provisioned(AttributeDefinitions=attributes(pk="S", g="S"),
                GlobalSecondaryIndexes=[index("gsi", "g")]),
    provisioned(AttributeDefinitions=attributes(pk="S", g="S"),
                GlobalSecondaryIndexes=[{**index("gsi", "g"),
                                         "ProvisionedThroughput": throughput(0, 0)}]),
    locals_(index("lsi", "pk", "l")), locals_(index("lsi", "pk"), l="S"),
    locals_(index("lsi", "sk", "l"), l="S"), locals_(index("lsi", "l", "pk"), l="S"),
    locals_(index("lsi", "pk", "l"), index("lsi", "pk", "l"), l="S"),
    locals_(*[index(f"lsi{i}", "pk", "l") for i in range(6)], l="S"),
    locals_({**index("lsi", "pk", "l"), "Projection": None}, l="S"),
    locals_({**index("lsi", "pk", "l"), "KeySchema": None}, l="S"),
    table(AttributeDefinitions=attributes(pk="S", l="S"),
          LocalSecondaryIndexes=[index("lsi", "pk", "l")]),
    table(KeySchema=schema("pk", "sk"), AttributeDefinitions=attributes(pk="S", sk="S", l="S"),
          LocalSecondaryIndexes=[index("same", "pk", "l")],
          GlobalSecondaryIndexes=[index("same", "l")]),
    table(TableName="x", BillingMode="FREE", KeySchema=[], AttributeDefinitions=[{}]),
    table(TableName=5), table(KeySchema={}), table(KeySchema="pk"),
    table(DeletionProtectionEnabled="maybe"), table(OnDemandThroughput={"MaxReadRequestUnits": 0}),
    table(OnDemandThroughput={"MaxReadRequestUnits": -5}),
    provisioned(OnDemandThroughput={"MaxReadRequestUnits": 5}),
]


def made(body):
    """Creates, describes and deletes."""
    name = body.get("TableName") if isinstance(body.get("TableName"), str) else "fresh"
    return [Request("CreateTable", body), Request("DescribeTable", {"TableName": name}),
            Request("UpdateTable", {"TableName": name, "DeletionProtectionEnabled": False}),
            Request("DeleteTable", {"TableName": name})]


def refused(body):
    """One side may accept what the other refuses; the table is deleted without looking."""
    def act():
        yield Request("CreateTable", body)
        yield Unseen(Request("DeleteTable", {"TableName": "fresh"}))
    return act



SCENES = [
    Scene("create_table", [], [made(body) for body in GOOD]),
    Scene("create_table.refused", [], [refused(body) for body in BAD]),
    Scene("create_table.twice", [], [
        [Request("CreateTable", table()), Request("CreateTable", table()),
         Request("DescribeTable", {"TableName": "fresh"}),
         Request("DeleteTable", {"TableName": "fresh"}),
         Request("DeleteTable", {"TableName": "fresh"}),
         Request("CreateTable", table()), Request("DeleteTable", {"TableName": "fresh"})],
        [Request("CreateTable", table(DeletionProtectionEnabled=True)),
         Request("DeleteTable", {"TableName": "fresh"}),
         Request("UpdateTable", {"TableName": "fresh", "DeletionProtectionEnabled": False}),
         Request("DeleteTable", {"TableName": "fresh"})]]),
]
