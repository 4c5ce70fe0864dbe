"""DescribeTable, DeleteTable, ListTables, UpdateTable, time to live, tags and the account."""

import time

from corpus.create_table import throughput
from corpus.tables import (INDEXED, SIMPLE, WAITS_MAX, WAIT_SECONDS, attributes, create, index, put,
                           s, schema, settle)
from exchange import Request
from scene import Scene, Unseen, one_by_one

NAMES = [{"TableName": name} for name in (
    "simple", "missing", "x", "", "bad name", "x" * 256, 5, None, [],
    "arn:aws:dynamodb:ddblocal:000000000000:table/simple",
    "arn:aws:dynamodb:ddblocal:000000000000:table/missing",
    "arn:aws:dynamodb:other:000000000000:table/missing")] + [{}]
NOT_SIMPLE = [body for body in NAMES
              if body.get("TableName") not in ("simple", NAMES[9]["TableName"])]

LISTS = [
    {}, {"Limit": 1}, {"Limit": 2}, {"Limit": 100}, {"Limit": 101}, {"Limit": 0}, {"Limit": -1},
    {"Limit": "1"}, {"Limit": 1.9}, {"Limit": None},
    {"ExclusiveStartTableName": "alpha"}, {"ExclusiveStartTableName": "beta", "Limit": 1},
    {"ExclusiveStartTableName": "b"},
    {"ExclusiveStartTableName": "zzz"}, {"ExclusiveStartTableName": "aaa"},
    {"ExclusiveStartTableName": ""}, {"ExclusiveStartTableName": "a b"},
    {"ExclusiveStartTableName": "x" * 256}, {"ExclusiveStartTableName": 1}, {"Unknown": True},
    {"ExclusiveStartTableName": "a", "Limit": 0},
]


def named(name):
    return create(name, schema("pk"), {"pk": "S"})


def update(**more):
    return {"TableName": "simple", **more}


def gsi_create(name="fresh", hash_key="g", **more):
    return {"Create": {**index(name, hash_key), **more}}


G = attributes(g="S")
UPDATES = [
    {}, update(), update(TableName="missing", BillingMode="PAY_PER_REQUEST"), update(TableName="x"),
    update(BillingMode="FREE"),
    update(BillingMode="PAY_PER_REQUEST"), update(ProvisionedThroughput=throughput()),
    update(ProvisionedThroughput={}),
    update(BillingMode="PAY_PER_REQUEST", ProvisionedThroughput=throughput()),
    update(BillingMode="PROVISIONED"),
    update(AttributeDefinitions=G), update(AttributeDefinitions=[]),
    update(GlobalSecondaryIndexUpdates=[]), update(GlobalSecondaryIndexUpdates=[{}]),
    update(GlobalSecondaryIndexUpdates=[gsi_create()]),
    update(GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "missing"}}]),
    update(GlobalSecondaryIndexUpdates=[{"Delete": {}}]),
    update(GlobalSecondaryIndexUpdates=[{"Create": {}}]),
    update(GlobalSecondaryIndexUpdates=[{"Update": {}}]),
    update(GlobalSecondaryIndexUpdates=[{"Update": {"IndexName": "missing",
                                                    "ProvisionedThroughput": throughput()}}]),
    update(AttributeDefinitions=G, GlobalSecondaryIndexUpdates=[gsi_create("x")]),
    update(AttributeDefinitions=G, GlobalSecondaryIndexUpdates=[gsi_create(Projection={})]),
    update(AttributeDefinitions=G,
           GlobalSecondaryIndexUpdates=[gsi_create(Projection={"ProjectionType": "INCLUDE"})]),
    update(AttributeDefinitions=G,
           GlobalSecondaryIndexUpdates=[gsi_create(ProvisionedThroughput=throughput())]),
    update(AttributeDefinitions=G,
           GlobalSecondaryIndexUpdates=[gsi_create("one"), gsi_create("two")]),
    update(AttributeDefinitions=G,
           GlobalSecondaryIndexUpdates=[{**gsi_create("one"), "Delete": {"IndexName": "one"}}]),
    update(AttributeDefinitions=attributes(g="X"), GlobalSecondaryIndexUpdates=[gsi_create()]),
    update(AttributeDefinitions=attributes(h="S"), GlobalSecondaryIndexUpdates=[gsi_create()]),
    update(AttributeDefinitions=attributes(pk="N", g="S"),
           GlobalSecondaryIndexUpdates=[gsi_create()]),
    update(StreamSpecification={}), update(StreamSpecification={"StreamEnabled": False}),
    update(StreamSpecification={"StreamEnabled": True}),
    update(StreamSpecification={"StreamEnabled": True, "StreamViewType": "X"}),
    update(TableClass="X"), update(SSESpecification={"Enabled": "maybe"}),
    update(ReplicaUpdates=[]), update(DeletionProtectionEnabled="maybe"),
    update(TableClass="STANDARD"),
    update(StreamSpecification={"StreamEnabled": False, "StreamViewType": "KEYS_ONLY"}),
]


def updated(body):
    """Changes a fresh table, in case only one side refuses."""
    def act():
        yield Unseen(SIMPLE)
        yield Request("UpdateTable", body)
        yield from settle("simple")
        yield Unseen(Request("DeleteTable", {"TableName": "simple"}))
    return act


def changed(*bodies):
    """Changes a table of its own, looking at it when each change is complete."""
    def act():
        yield Unseen(Request("DeleteTable", {"TableName": "changing"}))
        yield create("changing", schema("pk"), {"pk": "S"})
        for body in bodies:
            yield Request("UpdateTable", {"TableName": "changing", **body})
            yield from settle("changing")
            yield Request("DescribeTable", {"TableName": "changing"})
    return act


CHANGES = [
    changed({"AttributeDefinitions": G, "GlobalSecondaryIndexUpdates": [gsi_create()]},
            {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "fresh"}}]}),
    changed({"StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}},
            {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": "OLD_IMAGE"}},
            {"StreamSpecification": {"StreamEnabled": False}}),
    changed({"BillingMode": "PROVISIONED", "ProvisionedThroughput": throughput(5, 6)},
            {"ProvisionedThroughput": throughput(7, 6)},
            {"ProvisionedThroughput": throughput(7, 6)}, {"BillingMode": "PAY_PER_REQUEST"}),
    changed({"DeletionProtectionEnabled": True}, {"DeletionProtectionEnabled": True},
            {"DeletionProtectionEnabled": False}),
    changed({"AttributeDefinitions": G, "GlobalSecondaryIndexUpdates": [gsi_create()]},
            {"AttributeDefinitions": G, "GlobalSecondaryIndexUpdates": [gsi_create()]}),
    changed({"AttributeDefinitions": attributes(g="S", pk="S"),
             "GlobalSecondaryIndexUpdates": [gsi_create(hash_key="pk")]}),
]


def ttl(enabled=True, name="expires", **more):
    return {"TableName": "simple",
            "TimeToLiveSpecification": {"Enabled": enabled, "AttributeName": name}, **more}


TTL = [
    {}, {"TableName": "simple"}, ttl(TableName="missing"), ttl(TableName="x"), ttl(name=""),
    ttl(name="x" * 256), ttl(enabled="maybe"), ttl(enabled=None),
    ttl(name=None), {"TableName": "simple", "TimeToLiveSpecification": {}}, ttl(enabled=False),
]


def ttl_life():
    """Switches it on and off; looks when each change is complete."""
    look = Request("DescribeTimeToLive", {"TableName": "simple"})
    yield look
    for body in (ttl(), ttl(), ttl(name="other"), ttl(enabled=False, name="other"),
                 ttl(enabled=False)):
        yield Request("UpdateTimeToLive", body)
        for _ in range(WAITS_MAX):
            answer = yield Unseen(look)
            if answer.get("TimeToLiveDescription", "TimeToLiveStatus") in ("ENABLED", "DISABLED"):
                break
            time.sleep(WAIT_SECONDS)
        yield look


ARN = "arn:aws:dynamodb:ddblocal:000000000000:table/simple"


def tags(*pairs, arn=ARN):
    return {"ResourceArn": arn, "Tags": [{"Key": key, "Value": value} for key, value in pairs]}


TAGS = [
    *[Request("TagResource", body) for body in (
        tags(("a", "b")), tags(("a", "c"), ("d", "")), {}, {"ResourceArn": ARN}, tags(),
        tags(("", "b")), tags(("a" * 129, "b")), tags(("a", "b" * 257)),
        tags(("a", "b"), ("a", "c")), tags(("a", "b"), arn="simple"),
        tags(("a", "b"), arn=ARN + "missing"), tags(("aws:x", "b")), tags(("a", None)))],
    *[Request("ListTagsOfResource", body) for body in (
        {"ResourceArn": ARN}, {}, {"ResourceArn": ""}, {"ResourceArn": "simple"},
        {"ResourceArn": ARN + "missing"}, {"ResourceArn": ARN, "NextToken": "x"})],
    *[Request("UntagResource", body) for body in (
        {"ResourceArn": ARN, "TagKeys": ["a"]}, {"ResourceArn": ARN, "TagKeys": ["nothing"]},
        {"ResourceArn": ARN, "TagKeys": []}, {}, {"ResourceArn": ARN},
        {"ResourceArn": ARN + "missing", "TagKeys": ["a"]}, {"ResourceArn": ARN, "TagKeys": [""]})],
]
ACCOUNT = [Request("DescribeLimits", {}), Request("DescribeLimits", {"Unknown": 1}),
           Request("DescribeEndpoints", {}),
           *[Request("DescribeContinuousBackups", body) for body in NAMES],
           *[Request("UpdateContinuousBackups",
                     {"PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": False},
                      **body}) for body in NAMES]]

SCENES = [
    Scene("tables.describe", [SIMPLE, INDEXED, put("simple", pk=s("a"))],
          one_by_one("DescribeTable",
                     NAMES + [{"TableName": "indexed"}, {"TableName": "simple", "Unknown": 1}])),
    Scene("tables.delete", [SIMPLE], one_by_one("DeleteTable", NOT_SIMPLE) + [
        [Request("DeleteTable", {"TableName": "simple"}),
         Request("DescribeTable", {"TableName": "simple"})]]),
    Scene("tables.list", [named("beta"), named("alpha"), named("gamma")],
          one_by_one("ListTables", LISTS)),
    Scene("tables.update", [], [updated(body) for body in UPDATES]),
    Scene("tables.changes", [], CHANGES),
    Scene("tables.time_to_live", [SIMPLE], [
        *one_by_one("UpdateTimeToLive", TTL), *one_by_one("DescribeTimeToLive", NAMES), ttl_life]),
    Scene("tables.tags", [SIMPLE], [[request] for request in TAGS]),
    Scene("tables.account", [SIMPLE], [[request] for request in ACCOUNT]),
]
