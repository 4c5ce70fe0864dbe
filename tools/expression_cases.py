"""The cases that record_expression_errors.py asks DynamoDB Local, and where AWS differs from it.

A case is a text; its placeholders are bound to VALUES and NAMES below as far as it mentions them,
so :zz and #zz, which are in neither, are undefined.
"""

import json

ITEM = {
    "pk": {"S": "k"},
    "a": {"S": "str"},
    "n": {"N": "5"},
    "b": {"B": "AQI="},
    "bo": {"BOOL": True},
    "nu": {"NULL": True},
    "ss": {"SS": ["a", "b"]},
    "ns": {"NS": ["1", "2"]},
    "bs": {"BS": ["AQ==", "Ag=="]},
    "l": {"L": [{"S": "x"}, {"N": "2"}, {"M": {"z": {"N": "1"}}}]},
    "m": {"M": {"x": {"S": "in"}, "y": {"L": [{"N": "1"}, {"N": "7"}]}}},
    "u": {"S": "h\u00e9llo"},
}
ITEMS = {"standard": ITEM, "none": None}

VALUES = {
    ":s": {"S": "x"}, ":st": {"S": "str"}, ":sx": {"S": "s"}, ":e": {"S": ""}, ":sa": {"S": "a"},
    ":hi": {"S": "z"}, ":S": {"S": "S"}, ":N": {"S": "N"}, ":L": {"S": "L"},
    ":n": {"N": "1"}, ":n2": {"N": "2"}, ":n3": {"N": "3"}, ":n5": {"N": "5"}, ":half": {"N": "0.5"},
    ":b": {"B": "AQ=="}, ":b2": {"B": "Ag=="},
    ":t": {"BOOL": True}, ":nu": {"NULL": True},
    ":ss": {"SS": ["a"]}, ":ssab": {"SS": ["b", "a"]}, ":ssca": {"SS": ["c", "a"]},
    ":ns": {"NS": ["1"]}, ":ns3": {"NS": ["3", "1.0"]}, ":bs": {"BS": ["AQ=="]},
    ":l": {"L": []}, ":l2": {"L": [{"S": "q"}]},
    ":lx": {"L": [{"S": "x"}, {"N": "2.0"}, {"M": {"z": {"N": "1"}}}]},
    ":m": {"M": {}}, ":mz": {"M": {"z": {"N": "1.0"}}},
    ":big": {"N": "9" * 38}, ":huge": {"N": "9" * 38 + "E88"}, ":tiny": {"N": "1E-130"},
    ":long": {"S": "x" * 1025},
}
NAMES = {"#a": "a", "#n": "name", "#l": "l", "#m": "m", "#z": "z"}

DEEP = "a" + ".b" * 40

# Texts that are wrong, or right, in every kind of condition.
CONDITION_SYNTAX = """
a|a = |a = :s b|a = :s AND|a == :s|a = = :s|(a = :s|a = :s)|a = b = c|= a|:s|a x b
foo bar baz qux quux|a = :s AND b x c AND d = :s|NOT|NOT a|NOT (a)|not a = :s|a IN ()|a IN (:s
a IN :s|a BETWEEN :s|a BETWEEN :s AND|a BETWEEN :s OR :s|a. = :s|a..b = :s|a[ = :s|a[] = :s
a[x] = :s|a[-1] = :s|a[1.5] = :s|a[1]b = :s|1a = :s|a-b = :s|a + :n = :n|_a = :s|_f(a)|a = "x"
a = 'x'|a = 1|#  = :s|: = a|a = #|a = :|a = $x|a ! b|a != b|a < > b|a =< :n|é = :s|a = :s;
attribute_exists(a|attribute_exists(a,|attribute_exists()|attribute_exists|foo()|a and b|(a|(a)
(a) AND b = :s|(a = (b = c))|a = (b = c)|and = :s|a.and = :s|set = :s|remove = :s|add = :s
size(a = b) = :n|(a).b = :s|(a)[0] = :s|((a.b)).c = :s|a x | a x|  = a|a = :s AND |a = :é|a = :sé
a.1b = :s|a[1]b|a = :s -- c|a[00] = :s|a[:n] = :s|a[#a] = :s|((((|NOT NOT NOT|a = :s OR OR b = :s
(NOT a)|(a = :s AND b)|(a = :s OR b) = c|a.b.c|size(a) size(b)|a = :s AND (b|#a|:s = |a , b
"""
CONDITION_PARENTHESES = """
((a = :s))|(((a = :s)))|((a)) = :s|a = ((b))|((a) = :s)|(a = :s)|(a) = :s|a = (:s)|a = (b)
((a = :s AND b = :s))|((a = :s) AND b = :s)|(a = :s) AND (b = :s)|((a = :s)) AND b=:s
((name = :zz)) x|((a = :s) x|((a = :s)) x|((a)) x|((a)) = b x|a = ((b)) x|a x ((b = :s))
(((a) = :s)) x|((a = :s)|((a = :s) AND (b = :s)) x|((a = :s) AND ((b = :s)) x|a = ((b)|a = ((b
size(((a))) = :n|size(((a)) = :n|a IN (((b)))|a IN ((b),(c))|NOT ((a = :s))|((NOT a = :s))
(NOT (a = :s))|((size(a)) = :n)|((foo(a)))|((a[0])) = :s|((a = :s) OR b = c) y
a BETWEEN ((:s)) AND :s|(a BETWEEN :s AND :s)|((foo(a))) x|(((foo(a))) x|((foo(a)))) |((foo(a))) a = :s|(a = :s AND ((foo(a)))) |(a = :s AND ((foo(a))) x|((attribute_exists(a))) AND
(((attribute_exists(a)) x|(NOT ((attribute_exists(a)))|(((a)) x = :s|((attribute_exists(a)))|(((attribute_exists(a)))|attribute_exists(((a))) x|attribute_exists(((a)))
"""
CONDITION_NAMES = """
name = :s|a.name = :s|NAME = :s|#n = :s|Status = :s|size = :s|CONVERT = :s|foo(a)|FOO(a)
Attribute_Exists(a)|foo(a) = bar(b)|size(a)|size(a) AND foo(b)|foo(b) AND size(a)|(size(a))
NOT size(a)|size(a) = :n AND size(b)|attribute_exists(a) = :t|:t = attribute_exists(a)
attribute_exists(attribute_exists(a))|size(attribute_exists(a)) = :n|contains(a,foo(b))
contains(attribute_exists(a),b)|a IN (attribute_exists(b))|a BETWEEN attribute_exists(b) AND :s
attribute_exists(a) BETWEEN :s AND :s|attribute_exists(a) IN (:s)|(attribute_exists(a)) = :t
if_not_exists(a,b)|list_append(a,b)|a = if_not_exists(a,b)|attribute_exists(if_not_exists(a,b))
if_not_exists(a,b) AND foo(b)|foo(b) AND if_not_exists(a,b)|size(a) AND if_not_exists(a,b)
foo(name) AND ((a = :s))|foo(name)|name = :s AND foo(a)|a = attribute_exists(name)
name = :s AND a = attribute_exists(b)|a = :zz AND name = :s|size(name)|size(name) = foo(b)
begins_with(name, foo(b))|begins_with(foo(b), name)|a[99999999999] = :zz|a[2147483648] = :s
a[2147483647] = :s|name[99999999999] = :s|a[99999999999].name = :s|foo(a[99999999999])
attribute_exists(a,b[99999999999])|a = :zz AND b[99999999999] = :s|contains(:zz,name)
"""
CONDITION_BINDING = """
#zz = :zz|:zz = #zz|a = :zz AND b = #zz|b=#zz AND a = :zz|a.#zz = :s|a = :zz AND attribute_exists(a,b)
attribute_exists(a,b) AND a = :zz|attribute_exists(#zz,b)|attribute_exists(:zz,b)|a = a|#a = a
a <> a|a < a|a.b = a.b|l[0] = l[0]|l[0] = l[1]|(a) = (a)|a BETWEEN a AND b|a BETWEEN b AND a
a BETWEEN b AND b|a IN (a)|a IN (b,a)|a IN (b,b)|a = a AND attribute_exists(a,b)
attribute_exists(a,b) AND a=a|begins_with(a,:n) AND a=a|a=a AND begins_with(a,:n)
begins_with(:n,:zz)|a < :ss AND a = a|a BETWEEN :n AND :s AND a = a|a = a AND a BETWEEN :n AND :s
attribute_exists(:s)|attribute_exists(size(a))|attribute_exists(a,b)|attribute_not_exists(:s)
attribute_type(a,b)|attribute_type(a,:s)|attribute_type(a,:n)|attribute_type(a)|attribute_type(a,a)
attribute_type(:s,:s)|attribute_type(:s,a)|attribute_type(a,size(b))|begins_with(a,a)|begins_with(a)
begins_with(a,:n)|begins_with(:n,a)|begins_with(:t,:n)|begins_with(a,size(a))|begins_with(a,b,:s)
contains(a)|contains(a,a)|contains(a,b,c)|size(:n) = :n|size(:t) = :n|size(:nu) = :n|size(a,b) = :n
size(size(a)) = :n|a < :ss|a < :t|a < :m|a < :l|a < :nu|a > :ss|a >= :bs|a <= :ns|:ss < a
a BETWEEN :s AND :n|a BETWEEN :ss AND :ss|a BETWEEN :n AND :ss|a BETWEEN b AND :ss
a BETWEEN :t AND :t|:ss BETWEEN a AND b|a BETWEEN :hi AND :s|a BETWEEN :n5 AND :n
a BETWEEN :b2 AND :b|a BETWEEN :b2 AND :s|size(:n) = :zz|size(:zz) = :n|begins_with(size(:n), :zz)
a = size(b, c) AND :zz = b|size(b,c) = :zz|size(a,:zz) = b|a IN (:zz, size(:n))
a IN (size(:n), :zz)|a IN (size(:n), b, a)|a = b AND (b = :zz OR c = c)|a = b AND (c = c OR b = :zz)
NOT c = c AND a = :zz|a BETWEEN :s AND :zz|a BETWEEN size(:n) AND :zz|contains(a, size(:n))
"""
CONDITION_TRUTH = """
a = :st|a = :s|a <> :s|a <> :st|n = :n5|n < :n5|n <= :n5|n > :n|n >= :n5|n < :n|a < :hi|b = :b|b > :b
n = :s|n <> :s|n > :s|bo = :t|nu = :nu|bo = nu|ss = :ssab|ss = :ss|ss <> :ssab|l = :lx|l <> :lx
n < ss|ss < n|ss < ns|bo < nu|n BETWEEN ss AND ns|NOT n < ss|nope = nope2|nope <> nope2|nope <> :s
NOT nope = nope2|nope < :n|NOT nope < :n|nope BETWEEN :n AND :n|NOT nope BETWEEN :n AND :n
nope IN (:n)|NOT nope IN (:n)|n BETWEEN :n AND :n5|n BETWEEN :n AND :n2|a BETWEEN :s AND :hi
n BETWEEN :s AND :hi|l[1] BETWEEN :n AND :n3|size(l) BETWEEN size(b) AND n|n IN (:n, :n5)|n IN (:n)
bo IN (:s,:t)|ss IN (:ssab)|:n5 IN (n)|:st IN (b, a)|attribute_exists(a)|attribute_exists(nope)
attribute_exists(l[0])|attribute_exists(l[5])|attribute_exists(m.x)|attribute_exists(n.x)
attribute_exists(n[0])|attribute_exists(m[0])|attribute_not_exists(l.x)|attribute_not_exists(a)
attribute_exists((a))|attribute_exists (a)|attribute_type(a,:S)|attribute_type(n,:S)
attribute_type(n,:N)|attribute_type(l,:L)|attribute_type(nope,:N)|NOT attribute_type(nope,:N)
attribute_type(:n,:N)|attribute_type(l[0],:S)|begins_with(a,:sx)|begins_with(a,:s)|begins_with(a,:e)
begins_with(n,:s)|NOT begins_with(n,:s)|begins_with(nope,:s)|begins_with(b,:b)|begins_with(:st,a)
begins_with(:s,:b)|begins_with(a,b)|begins_with((a),(:sx))|contains(a,:sx)|contains(a,:s)
contains(a,:e)|contains(l,:s)|contains(l,:n2)|contains(l,:mz)|contains(l,:ss)|contains(ss,:sa)
contains(ss,:ss)|contains(ns,:n)|contains(ns,:n5)|contains(bs,:b)|contains(b,:b2)|contains(n,:n)
contains(a,:t)|contains(m,:s)|NOT contains(nope,:s)|contains(:st,a)|contains(a,size(a))
size(a) = :n3|size(u) = :n5|size(b) = :n2|size(ss) = :n2|size(l) = :n3|size(m) = :n2|size(n) = :n
size(n) <> :n|NOT size(n) = :n|size(nope) = :n|size(nope) <> :n|size(:s) = :n|size(:m) = :n
size(a) > size(b)|size(a) = size(a)|size(a) < :s|n > size(ss)|a = :st AND n = :n5|a = :s AND n = :n5
a = :s OR n = :n5|NOT a = :s AND n = :n|NOT (a = :s AND n = :n)|a = :s AND n = :n OR bo = :t
a = :s AND (n = :n OR bo = :t)|bo = :t OR a = :s AND n = :n|NOT NOT a = :st|#a = :st|l[2].z = :n
#l[2].#z = :n|#m.y[1] > :n5|a . b = :s|l [ 0 ] = :s|m.y[1] BETWEEN :n AND m.y[0]|:n = :n|:n <> :n2
"""


def chain(count, piece="a=b", join=" OR "):
    return join.join([piece] * count)


LIMITS = [
    "a x" + " " * 4094, "a=:s" + " " * 4093, "a=:s" + " " * 4092,
    chain(150), chain(151), chain(200), chain(151) + " OR a=:zz", chain(200) + " OR name=b",
    chain(151) + " OR a=a", "NOT " * 300 + "a=b", "NOT " * 299 + "a=b",
    chain(150, "attribute_exists(a)"), chain(151, "attribute_exists(a)"),
    chain(100, "size(a)=b"), chain(101, "size(a)=b"), chain(151, "a BETWEEN b AND c"),
    chain(151, "(a IN (b,c))"), "NOT (" * 250 + "a=b" + ")" * 250,
    "a IN (" + ",".join([":s"] * 100) + ")", "a IN (" + ",".join([":s"] * 101) + ")",
    "a IN (" + ",".join([":zz"] * 101) + ")", "a IN (" + ",".join(["a"] * 101) + ")",
    "a" + ".b" * 31 + " = :s", "a" + ".b" * 32 + " = :s", "a" + "[1]" * 32 + " = :s",
    DEEP + " = :zz", "a = :zz AND " + DEEP + " = b", DEEP + " = name", "a=a AND b = " + DEEP,
    chain(200) + " AND b = " + DEEP,
]

UPDATE_SYNTAX = """
SET|SET a|SET a =|SET a = :s b|SET a = :s,|SET a = :s, b|SET a = :s REMOVE|REMOVE|REMOVE a,|REMOVE a b
ADD a|ADD a :n,|ADD a = :n|ADD a b|ADD a size(b)|ADD a (:n)|DELETE a|DELETE a b|foo a|a = :s
SET a = :s + |SET a = n + :n + :n|SET a = (n + :n) + :n|SET a = :n + (n + :n)|SET (a) = :n
SET a = NOT b|SET a = b = c|SET a = if_not_exists(b,:s|SET a = list_append(l, n + :n)
SET a = if_not_exists(q, n + :n)|SET a = -:n|SET a = n -1|REMOVE :s|REMOVE a = :s|SET a = :s;
SET a[0 = :s|SET remove = :s|SET a.remove = :s|REMOVE remove|SET a = (:s|SET a = (b) +|SET a = (b
SET a = (b c|SET a = ((b) c|SET a = (b) c|SET a = foo()|SET a = foo(b|SET a = :s AND b = :s
SET a = _f(b)|SET a = :s SET|REMOVE a, SET b = :s|DELETE ss :ssab,, b :s| |SET a = b.|SET :s = a
SET a = ((n + :n))|SET a = ((b)) x|SET a = if_not_exists(((b)),:s) x|SET a = (b + ((:n)))
SET a = (((b)) + :n) x|SET a = (((b)) :s)|SET a = if_not_exists(((b)),:s() x|SET a = ((b)|SET a[99999999999] = :s|REMOVE a[99999999999]|SET name = :s
SET a = name|REMOVE name|SET a = foo(name)|SET a = foo(b)|SET a = LIST_APPEND(l, :l)|SET a = size(b)
SET a = attribute_exists(b)|SET a = list_append(list_append(l,l),l)|SET a = n + list_append(l,l)
SET a = if_not_exists(b, list_append(l,l))|SET a = :s SET b = :s|REMOVE a REMOVE b|ADD n :n ADD b :n
DELETE ss :ss DELETE b :ss|REMOVE a SET b=:s REMOVE c SET d=:s|ADD a :n SET b=:s SET b=:s ADD a :n
SET a = :s SET name = :s|SET q = l SET a = :s SET name = :s|SET a = :s SET b = foo(c)|SET a = foo(b) SET c = :s
SET a = list_append(:s, l) SET b = :s|SET a = :zz, b = name
"""
UPDATE_BINDING = """
SET a = :s, a = :s|SET a = :s, a.b = :s|SET a.b = :s, a = :s|SET a.b = :s, a[0] = :s|SET #a = :s, a = :s
SET a[0]=:s,a.b=:s|SET a = :s REMOVE a|SET a.b.c = :s REMOVE a.b|SET a[1] = :s, a[1].b = :s
SET a = :zz|SET #zz = :zz|SET a = #zz|SET a = :zz, a = :zz|SET a = :s, a = :zz
SET a = if_not_exists(b), a = :zz|SET a = if_not_exists(b), c = :s + :n|SET a = :zz, #zz = :s
SET c = :s + :n, a = if_not_exists(b)|ADD c :s, d :l|DELETE c :s ADD d :l|ADD d :l DELETE c :s
SET q = if_not_exists(b) REMOVE x,x DELETE c :s|ADD a :s SET b = :zz|SET b = :zz ADD a :s
ADD a :zz SET b = if_not_exists(b)|SET b = if_not_exists(b) REMOVE #zz|REMOVE #zz SET b = :zz
SET a = :zz, b = #zz|SET a = #zz, b = :zz|SET a = :zz + #zz|SET a = #zz + :zz|SET a = :zz, a = #zz
SET a = if_not_exists(#zz, :zz)|SET a = :s, a = :s REMOVE #zz|REMOVE #zz SET a = :s, a = :s
SET a = :s, a.b = :s, c = :s, c[0] = :s|SET c.b = :s, c[0] = :s, a = :s, a = :s|REMOVE b[1], b.c, b
SET a = :s, b = :s, a.c = :s, b.c = :s|SET a.b = :s, a.c=:s, a[1]=:s|DELETE x :ss ADD x :ss
SET a = :s REMOVE a.b ADD a.c :n DELETE a.d :ss|SET a.x=:s, a[0].b=:s, a[0].c=:s
SET a[0].b=:s, a[0].c=:s, a.x=:s|SET a.b=:s, a.c=:s, a=:s, a[0]=:s|SET a = if_not_exists(b)
SET a = if_not_exists(:s,b)|SET a = if_not_exists(if_not_exists(b,:s),:s)|SET a = list_append(l)
SET a = list_append(l,:s)|SET a = list_append(:n,l)|SET a = list_append(l,:l,:l)|SET a = :s + :n
SET a = :n + :s|SET a = :l - n|SET a = list_append(:n, :zz)|SET a = :s + if_not_exists(:s, b)
SET a = if_not_exists(:s, :zz)|SET a = if_not_exists(b, :s, :zz)|ADD a :s|ADD a :l|ADD a :m|ADD a :t
ADD a :nu|ADD a :b|DELETE a :n|DELETE a :s|DELETE a :l|DELETE a :b|DELETE a :t|DELETE a :nu
DELETE a :m|ADD a :s, a :n|ADD a :s, b :zz
"""
UPDATE_LIMITS = [
    "SET " + DEEP + " = :zz", "SET c = :zz, " + DEEP + " = :s", "SET c = " + DEEP, "REMOVE " + DEEP,
    "SET " + ",".join("a%d=:n+:n" % i for i in range(301)),
    "SET x=:s + :n, " + ",".join("a%d=:n+:n" % i for i in range(301)),
    "REMOVE " + ",".join("a%d" % i for i in range(40)) + ",a39.b",
    "REMOVE " + ",".join("a%d.b" % i for i in range(40)) + ",a7[1]",
]
UPDATE_RESULTS = """
SET a = :s|SET q = :s|SET q=:s,r=:n|set q = :s remove b add c :n delete ss :ss|SET q = n|SET n = n + :n
SET n = n - :n|SET q = n-:n|SET q = (n + :n)|SET q = (n) + :n|SET q = n + (:n)|SET q = ((n) + :n)
SET q = :n - n|SET q = n + :half|SET q = if_not_exists(n,:n) + :n|SET q = if_not_exists(nope, :n) + n
SET q = if_not_exists(nope, if_not_exists(b,:s))|SET q = if_not_exists(nope, nope2)
SET q = if_not_exists(nope, n)|SET q = (if_not_exists((b),(:s)))|SET q = list_append(l, :l2)
SET q = list_append(:l2, l)|SET l = list_append(l, l)|SET q = list_append(if_not_exists(nope,:l),:l2)
SET #a = :s, #n = #l[0]|SET l[10] = :s, l[9] = :st|SET l[9] = :s, l[10] = :st|SET l[3] = :s
SET l[4] = :s, l[3] = :st|REMOVE l[0], l[1]|REMOVE l[1], l[0]|REMOVE l[0] SET l[5] = :s
REMOVE l[0] SET l[1] = :s|REMOVE l[7]|REMOVE l[0],l[1],l[2]|SET l[0] = l[1], l[1] = l[0]
SET l[5] = l[0] REMOVE l[0]|SET l[2].z = :s REMOVE l[0]|SET l[2].w = :s|SET m.y[0] = :s
SET m.y[5] = :s|SET m.q = :s|SET m = m.y|SET q = m, m.x = :s|SET m.x = m, q = m.x|REMOVE a|REMOVE nope
REMOVE m.x|REMOVE m.nope|REMOVE m.y[0]|REMOVE m.y[3]|REMOVE m.x, m.y|REMOVE l[2].z, l[0]
REMOVE l[2].z SET l[5] = :s, l[4] = :st|SET l[1] = :s, l[0] = :st REMOVE l[2]|REMOVE m.y[0], l[1]
SET q = l[0] REMOVE l|SET q = ss ADD ss :ssca|ADD nope :n|ADD n :n|ADD n :half|ADD ss :ssca
ADD ns :ns3|ADD nope :ssca|ADD m.q :n|ADD l[1] :n|ADD l[9] :n|ADD l[9] :ssca|ADD bs :bs
ADD l[4] :n SET l[3] = :s|DELETE ss :ssca|DELETE ss :ssab|DELETE ns :ns|DELETE bs :bs|DELETE nope :ss
DELETE m.q :ss|DELETE l[9] :ss|SET q=:n ADD nope :n REMOVE a DELETE ss :ssca|SET q = :e, r = :l, t = :m
SET q = nope|SET q = m.nope|SET q = nope + :n|SET q = n + a|SET q = a + n|SET q = n + nope|SET q = l[7]
SET q = a + nope|SET q = nope + a|SET q = if_not_exists(n, nope)|SET q = list_append(l, a)
SET q = list_append(nope, :l)|SET q = list_append(a, :l)|SET q = if_not_exists(a, :n) + :n
SET q = n + if_not_exists(a,:s)|SET l[1].w = :s|SET l[0][0] = :s|SET l[9].a = :s|SET m.q.r = :s
SET m[0] = :s|SET l.a = :s|SET nope.a = :s|SET nope[0] = :s|SET a.b = :s|REMOVE nope.a|REMOVE nope[0]
REMOVE a.b|REMOVE a[0]|REMOVE m.nope.q|REMOVE l[9].a|REMOVE l[0].a|REMOVE m[0]|REMOVE l.a|ADD a :n
ADD n :ns|ADD ss :ns|ADD ns :n|ADD m.x :n|ADD l[0] :n|ADD nope.q :n|ADD m.q.r :n|ADD a.q :n
DELETE ss :ns|DELETE n :ss|DELETE a :ss|DELETE nope.q :ss|DELETE m.q.r :ss|DELETE l[0] :ss
DELETE a.b :ss|SET nope.a = nope2|SET nope.a = a + n|SET q = nope2, nope.a = :s|ADD a :n REMOVE nope.b
SET q = n + :big|SET q = :huge + :huge|SET q = :n + :tiny|ADD n :big|SET q = :n3 - :half
"""
UPDATE_OF_NOTHING = """
SET q = :s|ADD q :n|ADD q :ss|SET q = if_not_exists(x,:s)|REMOVE x SET y = :s|REMOVE x|DELETE x :ss
REMOVE x.y|REMOVE x[0]|DELETE x.y :ss|SET x.y = :s|SET q = x|ADD q.r :n|SET q = list_append(x, :l)
"""
UPDATE_RETURNS = """
SET n = n + :n|SET q = :s|REMOVE a|REMOVE nope|DELETE ss :ssab|DELETE ss :ssca|SET a = :s, q = :s REMOVE n
SET l[10] = :s|SET l[1] = :s|SET m.y[1] = :s|SET m.q = :s|REMOVE m.x|REMOVE l[0]|SET l[0] = :s, l[2] = :s
SET m.y[0] = :s, m.x = :s|REMOVE m.y[1], m.y[3]|ADD n :n|SET a = :st
"""

PROJECTIONS = """
a|a,|,a|a b|a,,b|a[0]b|:s|a,a|a,a.b|a.b,a|a.b,a[0]|a[0],a[0]|a.b,a.c,a[1]|a.b,a.c,a.d,a|name|#zz|#n
#zz,name|a,a,#zz|#zz,a,a|#a,a|size(a)|(a)|a;b|a[99999999999]|a[1|a.|a = b|set|l[0],l[2],m.y[0]
l[2],l[0]|l[1],l[5],l[2].z|l[0].z|m.x,m.nope|nope|m.nope|l[7]|a.b|m[0]|ss[0]|pk|l[2].z,l[0]|#l[1],#m.#z
l[0],l[1],l[2],m.x,m.y,m.y2|pk,a,n,b,bo,nu,ss,ns,bs,l,m,u|m.y[1],m.y[0]|a , n| a|a |m.y
"""
PROJECTION_LIMITS = [DEEP, DEEP + ",#zz", "#zz," + DEEP, "a,a," + DEEP]

KEY_CONDITIONS = """
pk|pk = :s AND|pk = :s|sk = :s|pk > :s|pk = :s AND sk > :s|pk = :s AND sk = :s AND a = :s
pk = :s OR sk = :s|NOT pk = :s|pk = :s AND NOT sk = :s|pk <> :s|pk = :s AND sk <> :s|pk IN (:s)
pk = :s AND sk IN (:s,:s)|attribute_exists(pk)|pk = :s AND attribute_exists(sk)|begins_with(pk,:s)
pk = :s AND contains(sk,:s)|pk = :s AND begins_with(sk,:s)|pk = :s AND begins_with(:s,sk)
pk = :s AND sk BETWEEN :s AND :s|pk = :s AND :s BETWEEN sk AND :s|pk BETWEEN :s AND :s|pk = sk
pk = :s AND size(sk) = :n|pk = :s AND sk = a|:s = :s|:s = pk|:s = pk AND :s < sk|pk = :s AND pk = :s
pk = :s AND sk = :s AND sk = :s|pk.a = :s|pk[0] = :s|pk = :s AND sk.b = :s|a.b = :s|a = :s
a = :s AND b = :s|pk = :s AND a = :s|a = :s AND pk = :s|pk = :n|pk = :s AND sk = :n|pk = :s AND sk > :n
pk = :s AND begins_with(sk,:n)|pk = :s AND begins_with(sk,:b)|pk = :s AND sk BETWEEN :n AND :n|pk = :t
pk = :m|pk = :ss|pk = :l|pk = :nu|pk = :zz|#zz = :s|name = :s|(pk = :s)|(pk = :s) AND (sk = :s)
((pk = :s) AND sk = :s)|foo(pk)|if_not_exists(pk,:s)|pk = if_not_exists(pk,:s)|size(pk)|pk = size(sk)
attribute_type(pk,:s)|pk = :s AND attribute_type(sk,:S)|pk = :s AND (sk = :s AND a = :s)
pk = :s AND sk < :ss|pk = :e|pk = :s AND sk = :e|pk = :s AND sk >= :e|pk = :s AND begins_with(sk,:e)
pk = :s AND sk BETWEEN :hi AND :sa|pk = :s AND begins_with(sk, a)|pk = :s AND sk BETWEEN a AND b
pk = :s AND sk BETWEEN :s AND a|pk = :s AND size(a) = :n AND sk = :s|pk = :s AND sk = :s OR pk = :s
pk = :s AND a BETWEEN :s AND :s AND sk = :s|pk BETWEEN pk AND :s|begins_with(:s,:s)|contains(:s, :s)
:s IN (pk)|pk = :s AND sk BETWEEN size(a) AND :n|a.b = :s AND pk = :s|pk = a.b|pk = :s AND sk = :long
pk = :s AND pk = :s AND (sk = :s OR a = b)|pk = sk AND NOT a = b|NOT a = b AND pk = sk
pk = size(sk) OR a = b|pk BETWEEN :s AND size(a)|pk IN (size(a))|size(pk) = sk|pk <> sk
:s BETWEEN pk AND sk|pk > :s AND sk = :n|pk = :n AND sk > :s AND a = :s|a = :n AND pk = :s
pk > :s AND a = :s|pk > :n|sk > :n AND pk = :n|sk = :e AND pk = :n|pk = :e AND sk = :n
pk = :s AND sk BETWEEN :e AND :s|pk = :s AND begins_with(sk,:long)|pk = :s AND sk > :long
"""
KEY_CONDITIONS_HASH_ONLY = """
pk = :s|pk = :s AND sk = :s|pk > :s|sk = :s|pk = :s AND a = :s AND b = :s|a = :s AND b = :s AND c = :s
"""
KEY_CONDITIONS_COMPOSITE = """
h1 = :s|h1 = :s AND h2 = :n|h1 = :s AND h2 = :n AND r1 = :s|h1 = :s AND h2 = :n AND r2 = :n
h1 = :s AND h2 = :n AND r1 = :s AND r2 = :n|h1 = :s AND h2 = :n AND r1 = :s AND r2 = :n AND r3 = :b
h1 = :s AND h2 = :n AND r1 > :s|h1 = :s AND h2 = :n AND r1 > :s AND r2 = :n|h2 = :n|r1 = :s
h1 = :s AND h2 = :n AND r1 = :s AND r2 > :n|h1 = :s AND h2 = :n AND r1 > :s AND r2 > :n
h1 = :s AND h2 > :n|h1 > :s AND h2 = :n|h1 = :s AND h2 = :n AND r1 = :s AND r3 = :b
h1 = :s AND h2 = :n AND a = :s|h1 = :s AND h2 = :s|h1 = :s AND h2 = :n AND r1 = :n
h1 = :s AND h2 = :n AND begins_with(r1, :s) AND r2 = :n|h1 = :s AND h2 = :n AND r2 = :n AND r1 = :s
r1 = :s AND h2 = :n AND h1 = :s|h1 = :s AND h2 = :n AND r1 BETWEEN :s AND :s|h1 = :s AND r1 = :s
h1 = :s AND h2 = :n AND r1 = :s AND r2 = :n AND r3 = :b AND a = :s|h1 = :s AND h2 = :n AND h1 = :s
h1 = :s AND a = :s|h1 = :s AND h2 = :n AND r3 = :b|h1 = :s AND h2 = :n AND begins_with(r1, :s)
"""


def texts(block):
    """The texts of a block: one per line or between bars; a bar cannot occur in a valid text."""
    return [text for line in block.strip("\n").split("\n") for text in line.split("|") if text]


def S(text):
    return {"S": text}


def N(text):
    return {"N": text}


def compare(operator, *arguments):
    condition = {"ComparisonOperator": operator}
    if arguments:
        condition["AttributeValueList"] = list(arguments)
    return condition


OF_EVERY_TYPE = [VALUES[name] for name in
                 (":s", ":n", ":b", ":ss", ":ns", ":bs", ":t", ":nu", ":l", ":m")]
FILTERS = [{"a": compare(operator, *([value] * (2 if operator == "BETWEEN" else 1)))}
           for operator in ("EQ", "IN", "LE", "BETWEEN", "CONTAINS", "BEGINS_WITH")
           for value in OF_EVERY_TYPE] + [
    {"a": compare("EQ", S("str"))}, {"a": compare("NE", S("str"))}, {"nope": compare("NE", S("x"))},
    {"a": compare("IN", S("x"), S("str"))}, {"a": compare("IN", S("x"), N("1"))}, {"a": compare("IN")},
    {"n": compare("LT", N("6"))}, {"n": compare("LE", N("5"))}, {"n": compare("GT", N("5"))},
    {"n": compare("GE", N("5"))}, {"n": compare("GE", S("5"))}, {"a": compare("EQ")},
    {"a": compare("EQ", S("a"), S("b"))}, {"a": compare("BETWEEN", S("a"))},
    {"a": compare("BETWEEN", S("z"), S("a"))}, {"a": compare("BETWEEN", S("a"), N("1"))},
    {"a": compare("BETWEEN", S("a"), S("z"))}, {"a": compare("NULL")}, {"nope": compare("NULL")},
    {"a": compare("NOT_NULL")}, {"nope": compare("NOT_NULL")}, {"a": compare("NULL", S("x"))},
    {"a": compare("CONTAINS", S("t"))}, {"ss": compare("CONTAINS", S("a"))},
    {"l": compare("CONTAINS", N("2"))}, {"nope": compare("CONTAINS", S("a"))},
    {"nope": compare("NOT_CONTAINS", S("t"))}, {"n": compare("NOT_CONTAINS", S("t"))},
    {"a": compare("NOT_CONTAINS", S("t"))}, {"a": compare("NOT_CONTAINS", S("q"))},
    {"a": compare("BEGINS_WITH", S("st"))}, {"nope": compare("BEGINS_WITH", S("st"))},
    {"m.x": compare("EQ", S("in"))},
    {"a": compare("GE", S("s")), "n": compare("LE", N("1"))},
    {"a": compare("GE", S("s")), "n": compare("GE", N("1"))},
]
EXPECTED = [
    {"a": {"Value": S("str")}}, {"a": {"Value": S("x")}}, {"a": {"Exists": True}}, {"a": {}},
    {"a": {"Exists": False}}, {"nope": {"Exists": False}}, {"a": {"Exists": False, "Value": S("x")}},
    {"a": {"Exists": True, "Value": S("str")}}, {"a": {"ComparisonOperator": "EQ"}},
    {"a": {"ComparisonOperator": "EQ", "AttributeValueList": []}},
    {"a": {"ComparisonOperator": "EQ", "Value": S("str")}},
    {"a": {"ComparisonOperator": "IN", "Value": S("str")}},
    {"a": {"ComparisonOperator": "BETWEEN", "Value": S("str")}},
    {"a": {"ComparisonOperator": "NULL", "Value": S("str")}},
    {"a": {"ComparisonOperator": "NULL", "AttributeValueList": []}},
    {"a": {"ComparisonOperator": "EQ", "AttributeValueList": [S("x")], "Value": S("x")}},
    {"a": {"ComparisonOperator": "EQ", "AttributeValueList": [S("x")], "Exists": True}},
    {"a": {"ComparisonOperator": "EQ", "Exists": True, "Value": S("x")}},
    {"a": {"AttributeValueList": [S("x")]}}, {"a": {"AttributeValueList": [S("x")], "Value": S("x")}},
    {"a": {"AttributeValueList": [S("x")], "Exists": True}},
    {"a": {"Value": S("str")}, "n": {"Value": N("5.0")}}, {"a": {"Value": S("str")}, "n": {"Value": N("6")}},
] + FILTERS[60:]
LEGACY_KEY_CONDITIONS = [
    {}, {"pk": compare("EQ", S("p"))}, {"pk": compare("EQ")}, {"pk": compare("GT", S("p"))},
    {"pk": compare("EQ", N("1"))}, {"pk": compare("EQ", VALUES[":ss"])}, {"sk": compare("EQ", S("p"))},
    {"pk": compare("IN", S("p"))}, {"pk": compare("NE", S("p"))}, {"pk": compare("EQ", S(""))},
    {"a": compare("NULL"), "b": compare("NULL")}] + [
    {"pk": compare("EQ", S("p")), **more} for more in (
        {"sk": compare("NE", S("x"))}, {"sk": compare("IN", S("x"))}, {"sk": compare("NULL")},
        {"sk": compare("NOT_NULL")}, {"sk": compare("CONTAINS", S("x"))}, {"sk": compare("EQ", S("x"))},
        {"sk": compare("NOT_CONTAINS", S("x"))}, {"sk": compare("LE", S("x"))}, {"a": compare("NULL")},
        {"a": compare("EQ", S("x"))}, {"sk": compare("EQ", S("x")), "a": compare("EQ", S("x"))},
        {"sk": compare("BETWEEN", S("z"), S("a"))}, {"sk": compare("BETWEEN", S("a"), N("1"))},
        {"sk": compare("BETWEEN", N("1"), N("2"))}, {"sk": compare("BETWEEN", S("a"), S("b"))},
        {"sk": compare("BEGINS_WITH", N("1"))}, {"sk": compare("BEGINS_WITH", S("x"))},
        {"sk": compare("LT", S(""))}, {"sk": compare("LT", VALUES[":ss"])}, {"sk": compare("GT", N("1"))})]
ATTRIBUTE_UPDATES = [
    {}, {"q": {"Action": "PUT"}}, {"q": {}}, {"q": {"Action": "ADD"}}, {"a": {"Action": "DELETE"}},
    {"nope": {"Action": "DELETE"}}, {"m.x": {"Action": "PUT", "Value": S("x")}},
    {"q": {"Value": S("x")}}] + [
    {"q": {"Action": action, "Value": value}} for action in ("PUT", "ADD", "DELETE")
    for value in OF_EVERY_TYPE] + [
    {name: {"Action": action, "Value": VALUES[value]}} for action, name, value in (
        ("DELETE", "ss", ":ss"), ("DELETE", "ss", ":ssab"), ("DELETE", "ss", ":ns"),
        ("DELETE", "a", ":ss"), ("ADD", "n", ":n"), ("ADD", "a", ":n"), ("ADD", "ss", ":ssca"),
        ("ADD", "a", ":ss"), ("ADD", "ss", ":ns"), ("ADD", "l", ":l2"), ("ADD", "a", ":l2"))]

# Requests with several expressions, for what concerns their placeholders together.
REQUESTS = [
    dict(condition="a = :s", values={":s": S("x"), ":u": S("y")}),
    dict(condition="a = :s", values={":s": S("x"), ":u": S("y")}, names={"#u": "x"}),
    dict(condition="a = :s", values={":s": S("x"), "u": S("y")}),
    dict(condition="a = :s", values={}), dict(condition="a x :s", values={}),
    dict(condition="a x :s", names={}), dict(condition="a x :s", values={"x": S("x")}),
    dict(condition="a x :s", names={"x": "x"}, values={"x": S("x")}),
    dict(condition="#x = :s", values={":s": S("x")}, names={"#x": ""}),
    dict(condition="#x = :s", values={":s": S("x")}, names={"x": "a"}),
    dict(condition="#x = :s", values={":s": S("x")}, names={"#": "a"}),
    dict(condition="#x = :s", values={":s": S("x")}, names={"#x-y": "a"}),
    dict(condition="#x = :s", values={":s": S("x")}, names={"#x": "a", "#z": "c", "#y": "b"}),
    dict(condition="a = b", names={"#" + "a" * 255: "a"}),
    dict(condition="a = b", values={":" + "a" * 255: S("a")}),
    dict(condition="#" + "a" * 254 + " = b", names={"#" + "a" * 254: "a"}),
    dict(condition="", update=""), dict(condition="a x", update="b y"),
    dict(condition="a = :zz", update="b y"), dict(condition="a x", update="SET a = :zz"),
    dict(condition="a = :c", update="SET a = :u"), dict(condition="name = :c", update="SET a2 = :u"),
    dict(condition="#c = :st", update="SET q = :u", names={"#c": "a"},
         values={":st": S("str"), ":u": S("y")}),
    dict(condition="#c = :st", update="SET q = :st", names={"#c": "a"},
         values={":st": S("str"), ":u": S("y")}),
    dict(condition="a = :st", update="SET #q = :u", names={"#q": "q", "#r": "r"},
         values={":st": S("str"), ":u": S("y")}),
    dict(condition="a = a", values={":u": S("y")}), dict(condition="a = b AND", values={":u": S("y")}),
]

# Where AWS's documentation, or what its users report, differs from DynamoDB Local.

def refused(message):
    return {"error": "ValidationException", "message": message}


def aws_differs(kind, text, outcome):
    """The outcome on AWS and the reason, or None when DynamoDB Local is right as far as known."""
    message = outcome.get("message", "")
    prefix = message.partition(":")[0]
    if text in ("size = :s", "CONVERT = :s"):
        names = {"condition": "ConditionExpression", "filter": "FilterExpression"}
        return refused(f"Invalid {names[kind]}: Attribute name is a reserved keyword; reserved keyword: "
                       + text.split()[0]), "one of the 573 words of the developer guide's list"
    if "{NS,DECIMALSET," in message:
        return refused(f"{prefix}: Incorrect operand type for operator or function; operator or function: "
                       "attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}"), \
            "the service has these ten types"
    if message == "Query condition missed key schema element":
        return refused(f"{message}: {MISSED.get(text, 'sk')}"), "the service names the attribute"
    if message == "DynamoDB only supports precision up to 38 digits":
        overflow = "Number overflow. Attempting to store a number with magnitude larger than supported range"
        digits = "Attempting to store more than 38 significant digits in a Number"
        return refused(overflow if ":huge + :huge" in text else digits), \
            "the service's words for a number that it cannot store"
    if "Key attributes must be scalars" in message and kind == "key_condition":
        return refused("KeyConditionExpressions cannot have conditions on nested attributes"), \
            "the text of an expression is checked before the key schema"
    if (kind, text) in AWS:
        return AWS[kind, text]
    return None


def absent(reason="an update of REMOVE and DELETE only does not create an item"):
    return {"item": None}, reason


def returned(old, new, reason="only what the paths lead to is returned"):
    return {"updated_old": old, "updated_new": new}, reason


MISSED = {"sk = :s": "pk", "a = :s": "pk", "a = :s AND b = :s": "pk", "sk = :s AND a = :s": "pk",
          "a > :s AND b = :s": "pk", "h1 = :s AND h2 = :n AND a = :s": "r1",
          '{"sk": {"AttributeValueList": [{"S": "p"}], "ComparisonOperator": "EQ"}}': "pk",
          '{"a": {"ComparisonOperator": "NULL"}, "b": {"ComparisonOperator": "NULL"}}': "pk"}
NOT_INDEXABLE = refused("Attempted conditional constraint is not an indexable operation")


def sort_compared(operator, values):
    return json.dumps({"pk": compare("EQ", S("p")), "sk": compare(operator, *values)}, sort_keys=True)


AWS = {
    ("update_of_nothing", "REMOVE x"): absent(),
    ("update_of_nothing", "DELETE x :ss"): absent(),
    ("update_of_nothing", "REMOVE x.y"): absent("removing from a missing item is accepted"),
    ("update_of_nothing", "REMOVE x[0]"): absent("removing from a missing item is accepted"),
    ("update_of_nothing", "DELETE x.y :ss"): absent("removing from a missing item is accepted"),
    ("update_returns", "SET l[1] = :s"): returned({"l": {"L": [N("2")]}}, {"l": {"L": [S("x")]}}),
    ("update_returns", "SET m.y[1] = :s"): returned(
        {"m": {"M": {"y": {"L": [N("7")]}}}}, {"m": {"M": {"y": {"L": [S("x")]}}}}),
    ("update_returns", "SET m.q = :s"): returned({}, {"m": {"M": {"q": S("x")}}}),
    ("update_returns", "REMOVE m.x"): returned({"m": {"M": {"x": S("in")}}}, {}),
    ("update_returns", "REMOVE l[0]"): returned(
        {"l": {"L": [S("x")]}}, {"l": {"L": [N("2")]}}, "the element that moved up is returned"),
    ("update_returns", "SET l[0] = :s, l[2] = :s"): returned(
        {"l": {"L": [S("x"), {"M": {"z": N("1")}}]}}, {"l": {"L": [S("x"), S("x")]}}),
    ("update_returns", "SET m.y[0] = :s, m.x = :s"): returned(
        {"m": {"M": {"x": S("in"), "y": {"L": [N("1")]}}}},
        {"m": {"M": {"x": S("x"), "y": {"L": [S("x")]}}}}),
    ("update_returns", "REMOVE m.y[1], m.y[3]"): returned({"m": {"M": {"y": {"L": [N("7")]}}}}, {}),
    ("key_conditions", sort_compared("NE", [S("x")])): (NOT_INDEXABLE, "an error of DynamoDB Local"),
    ("key_conditions", sort_compared("NULL", [])): (NOT_INDEXABLE, "as for the other operators"),
    ("key_conditions", sort_compared("NOT_NULL", [])): (NOT_INDEXABLE, "as for the other operators"),
    ("attribute_updates", '{"q": {"Value": {"S": "x"}}}'): (
        {"item": {**ITEM, "q": S("x")}}, "the action is PUT unless the request says otherwise"),
}
