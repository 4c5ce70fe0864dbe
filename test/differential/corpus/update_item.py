"""UpdateItem: every action and function, what comes back, and what is refused."""

from corpus.tables import EVERYTHING, INDEXED, SIMPLE, SORTED, n, put, s
from exchange import Request
from scene import Scene, one_by_one

KEY = {"pk": s("a")}
VALUES = {
    ":s": s("new"), ":n": n(1), ":m": n("-2.5"), ":b": {"B": "/w=="}, ":t": {"BOOL": True},
    ":nil": {"NULL": True},
    ":ss": {"SS": ["a", "z"]}, ":all": {"SS": ["a", "b"]}, ":ns": {"NS": ["1", "9"]},
    ":bs": {"BS": ["AQ=="]},
    ":l": {"L": [s("y")]}, ":e": {"L": []}, ":d": {"M": {"k": n(1)}}, ":empty": s(""),
    ":max": n("9.9999999999999999999999999999999999999E+125"), ":tiny": n("1E-130"),
    ":long": n("1234567890123456789012345678901234567.8"),
}


def placeholders(text):
    """The values that an expression mentions."""
    words = set("".join(c if c.isalnum() or c in ":_" else " " for c in text).split())
    values = {name: value for name, value in VALUES.items() if name in words}
    return {"ExpressionAttributeValues": values} if values else {}


def update(text=None, **more):
    body = {"TableName": "simple", "Key": KEY}
    if text is not None:
        body |= {"UpdateExpression": text, **placeholders(text)}
    return body | more


def fresh(body):
    """On the item with everything; then what became of it."""
    return [put("simple", **KEY, **EVERYTHING), Request("UpdateItem", body),
            Request("GetItem", {"TableName": "simple", "Key": KEY, "ConsistentRead": True})]


EXPRESSIONS = """
SET str = :s|SET str = :s, num = :n|SET fresh = :d|SET num = num + :n|SET num = num - :n
SET num = num + num|SET num = :n + :m|SET num = :n - num|SET num = fresh + :n|SET num = str + :n
SET fresh = if_not_exists(fresh, :n)|SET num = if_not_exists(num, :n)
SET num = if_not_exists(fresh, :n) + :n
SET lst = list_append(lst, :l)|SET lst = list_append(:l, lst)|SET fresh = list_append(lst, lst)
SET lst = list_append(fresh, :l)|SET lst = list_append(if_not_exists(fresh, :e), :l)
SET lst = list_append(str, :l)
SET lst[0] = :s|SET lst[9] = :s|SET lst[7] = :s, lst[5] = :n|SET lst[2].z = :s|SET lst[0].z = :s
SET doc.x = :s
SET doc.y[0] = :s|SET doc.y[9] = :n|SET doc.fresh = :s|SET doc.fresh.deeper = :s|SET fresh.x = :s
SET fresh[0] = :s
SET str.x = :s|SET doc[0] = :s|SET lst.x = :s|SET doc = :d|SET doc.x = doc.y
SET doc.x = lst[0], lst[0] = doc.x
SET num = lst[1] + doc.y[1]|SET pk2 = pk|SET fresh = nothing|SET str = :empty|SET strs = :ss
SET nil = :nil
SET num = num + :max|SET num = :max + :max|SET num = :tiny - :tiny|SET num = :tiny + :long
SET num = :long + :m
REMOVE str|REMOVE str, num|REMOVE nothing|REMOVE lst[0]|REMOVE lst[0], lst[1]|REMOVE lst[9]
REMOVE doc.x
REMOVE doc.y[0]|REMOVE doc.y[0], doc.y[1]|REMOVE doc.nothing|REMOVE nothing.x|REMOVE str.x
REMOVE lst[2].z|REMOVE strs
ADD num :n|ADD num :m|ADD fresh :n|ADD strs :ss|ADD nums :ns|ADD bins :bs|ADD fresh :ss|ADD str :n
ADD num :ss
ADD strs :ns|ADD lst :l|ADD num :s|ADD num :t|ADD doc.count :n|ADD doc.y[0] :n|ADD num :max
ADD num :n, fresh :m
DELETE strs :ss|DELETE strs :all|DELETE nums :ns|DELETE bins :bs|DELETE fresh :ss|DELETE strs :ns
DELETE str :ss
DELETE strs :s|DELETE num :n|DELETE lst :l|DELETE doc.tags :ss
SET str = :s REMOVE num|SET str = :s REMOVE num ADD fresh :n DELETE strs :ss|REMOVE num SET str = :s
ADD num :n SET str = :s|set str = :s remove num|Set str = :s|SET str=:s,num=:n REMOVE yes , nil
SET lst[0] = :s REMOVE lst[1]|SET lst[3] = :s REMOVE lst[0]|SET a1 = str, b1 = num, c1 = doc
SET num = (num + :n)|SET num = ((num) + (:n))|SET fresh = (if_not_exists(fresh, :n))
"""

REFUSED = """
|  |SET|SET str|SET str =|SET str = :zz|SET str = :s,|SET str = :s num = :n|SET = :s|SET :s = :s
SET str == :s
SET str = :s SET num = :n|REMOVE|REMOVE str REMOVE num|REMOVE :s|REMOVE str = :s|ADD|ADD num
ADD num = :n|ADD num num
ADD num :n :n|DELETE|DELETE strs|DELETE strs :zz|ADD num :n ADD num :n|SET num = num + :n + :n
SET num = num * :n
SET num = :n num|SET str = str, str = :s|SET str = :s REMOVE str|SET doc = :d, doc.x = :s
REMOVE doc, doc.x
SET lst[0] = :s, lst = :l|REMOVE lst[0], lst[0]|SET doc.x = :s, doc[0] = :s|SET pk = :s|REMOVE pk
ADD pk :n|SET pk.x = :s
SET name = :s|SET #zz = :s|SET str = #zz|SET str = foo(:s)|SET str = if_not_exists(str)
SET str = if_not_exists(:s, :s)
SET str = if_not_exists(str, :s, :s)|SET str = list_append(:l)|SET str = list_append(:l, :s)
SET str = list_append(:s, :l)
SET str = size(lst)|SET str = attribute_exists(str)|SET str = list_append(:l, :l, :l)
SET num = :s + :n
SET num = :n + :s|SET num = :ss + :ss|SET num = :l - :n|UPDATE str = :s|str = :s|SET str : s
SET str = "x"|SET str = 5
SET str = :s WHERE num = :n|SET lst[x] = :s|SET lst[-1] = :s|SET lst[] = :s|SET doc. = :s
SET str = :s;|SET num += :n
SET (str) = :s|SET (str = :s)|REMOVE (str)|SET num = ((num + :n|DELETE num :n|ADD lst :l|ADD doc :d
DELETE strs :l
ADD num :nil|SET if_not_exists(str, :s) = :s|SET str = if_not_exists(fresh, str) + :s
SET str = list_append(if_not_exists(fresh, :e), :s)
"""

COMBINED = [
    update(), update(Key={}), update("SET str = :s", Key={"pk": n(1)}),
    update("SET str = :s", Key={"x": s("a")}),
    update("SET str = :s", Key={"pk": s("a"), "x": s("a")}),
    update("SET str = :s", Key={"pk": s("")}),
    update("SET str = :s", TableName="missing"), update("SET str", TableName="missing"), {},
    {"TableName": "simple"}, {"Key": KEY}, update("SET str = :s", ConditionExpression="num = :m"),
    update("SET str = :s", ConditionExpression="num = :zz"),
    update("SET str = :s", ConditionExpression=""),
    update("SET str = :s", ConditionExpression="num ="),
    update("SET str =", ConditionExpression="num ="),
    update("SET str = :s", ExpressionAttributeValues={":s": s("x"), ":unused": n(1)}),
    update("SET str = :s", ExpressionAttributeNames={"#unused": "x"}),
    update("SET #a = :s", ExpressionAttributeNames={"#a": "str", "#b": "num"}),
    update("SET str = :s", ExpressionAttributeValues={}),
    update("SET str = :s", ExpressionAttributeValues={":s": {}}),
    update("SET str = :s", ExpressionAttributeValues={":s": {"N": "x"}}),
    update("SET str = :s", ExpressionAttributeValues={":s": {"SS": []}}),
    update("SET str = :s", ExpressionAttributeValues={"s": s("x")}),
    update("SET str = :s", AttributeUpdates={"num": {"Value": n(1)}}),
    update("SET str = :s", Expected={"num": {"Value": n(1)}}),
    update("SET str = :s", ConditionalOperator="OR"),
    update(ExpressionAttributeValues={":s": s("x")}),
    update(ExpressionAttributeNames={"#s": "x"}),
    update(ConditionExpression="attribute_exists(pk)"),
    update(ConditionExpression="attribute_not_exists(pk)"),
    update("SET str = :s", ReturnValues="SOME"),
    update("SET str = :s", ReturnValues="SOME", ReturnConsumedCapacity="x",
           ReturnItemCollectionMetrics="y"),
    update("SET str = :s", ReturnValuesOnConditionCheckFailure="x"),
    update("SET #p = :s", ExpressionAttributeNames={"#p": "pk"}),
    update("SET str = :s", ConditionExpression="str = :s",
           ReturnValuesOnConditionCheckFailure="ALL_OLD"),
    {"TableName": "sorted", "Key": {"pk": s("a"), "sk": n(1)}, "UpdateExpression": "SET sk = :n",
     "ExpressionAttributeValues": {":n": n(1)}},
    {"TableName": "sorted", "Key": KEY, "UpdateExpression": "SET x = :n",
     "ExpressionAttributeValues": {":n": n(1)}},
    update("SET str = :s", ExpressionAttributeValues={":s": s("x" * (400 * 1024))}),
]

RETURNS = [
    "SET str = :s", "SET fresh = :s", "REMOVE str", "REMOVE nothing", "SET doc.x = :s",
    "SET doc.y[0] = :s", "SET lst[0] = :s",
    "SET lst[9] = :s", "REMOVE lst[0]", "REMOVE lst[0], lst[1]", "REMOVE doc.x", "ADD num :n",
    "ADD strs :ss", "DELETE strs :ss",
    "DELETE strs :all", "SET str = :s REMOVE num ADD fresh :n", "SET doc.fresh = :s, doc.x = :n",
    "SET lst[2].z = :s",
    "SET lst[7] = :s, lst[5] = :n", "SET doc.y[0] = :s, lst[1] = :n, lst[2].z = :s",
]
KINDS = ["NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"]


def on_a_new_item(text, kind):
    key = {"pk": s("new")}
    return [Request("DeleteItem", {"TableName": "simple", "Key": key}),
            Request("UpdateItem", update(text, Key=key, ReturnValues=kind)),
            Request("GetItem", {"TableName": "simple", "Key": key})]


def of_index_keys(text, **values):
    values = {f":{name}": value for name, value in values.items()}
    body = {"TableName": "indexed", "Key": {"pk": s("a"), "sk": s("b")}, "UpdateExpression": text}
    return body | ({"ExpressionAttributeValues": values} if values else {})


INDEX_KEYS = [
    of_index_keys("SET at = :v", v=n(2)), of_index_keys("SET at = :v", v=s("2")),
    of_index_keys("SET kind = :v", v=n(2)),
    of_index_keys("SET kind = :v", v=s("")), of_index_keys("SET kind = :v", v={"NULL": True}),
    of_index_keys("ADD at :v", v=n(2)), of_index_keys("REMOVE at, kind"),
    of_index_keys("SET kind.x = :v", v=s("x")),
    of_index_keys("SET kind[0] = :v", v=s("x")), of_index_keys("REMOVE kind.x"),
    of_index_keys("SET sk = :v", v=s("x")),
    of_index_keys("SET kind = if_not_exists(nope, :v)", v=n(1)),
    of_index_keys("SET kind = :v", v=s("x" * 2049)),
    of_index_keys("ADD kind :v", v={"SS": ["a"]}),
]


def split(lines):
    return [text for line in lines.strip("\n").split("\n") for text in line.split("|")]


SCENES = [
    Scene("update_item.expressions", [SIMPLE],
          [fresh(update(text)) for text in split(EXPRESSIONS)]),
    Scene("update_item.refused", [SIMPLE, put("simple", **KEY, **EVERYTHING)],
          one_by_one("UpdateItem", [update(text) for text in split(REFUSED)])),
    Scene("update_item.combined", [SIMPLE, SORTED], [fresh(body) for body in COMBINED[:1]] +
          one_by_one("UpdateItem", COMBINED)),
    Scene("update_item.returns", [SIMPLE],
          [fresh(update(text, ReturnValues=kind)) for text in RETURNS for kind in KINDS]),
    Scene("update_item.new_item", [SIMPLE], [
        on_a_new_item(text, kind) for kind in KINDS
        for text in ("SET str = :s", "ADD num :n", "REMOVE str", "DELETE strs :ss",
                     "SET doc.x = :s")]),
    Scene("update_item.index_keys", [INDEXED], one_by_one("UpdateItem", INDEX_KEYS)),
]
