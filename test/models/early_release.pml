/* Early lock release: writers lock, read, decide, take their place in the commit queue and let the
 * lock go; what is queued is an overlay that later writers read; the committer syncs a group, makes
 * it visible, drops it from the overlay, answers. See docs/decisions/2026-11-16-early-lock-release.md.
 *
 *   spin -a -DFAULTS -DDEADLINE early_release.pml
 *   gcc -O2 -DSAFETY -DCOLLAPSE -o pan pan.c && ./pan -m200000 -w27
 *
 * Sizes: -DW0 -DW1 -DTX (calls), -DREADS. Parts: -DFAULTS (syncs fail), -DDEADLINE (waiters are
 * withdrawn), -DRESUME (with FAULTS: the store goes on after a failure), -DFAIR (property F), -DCRASH (the crash as a process: A and R after it; D holds
 * without it, see tell), -DSTREAM (property R). The bugs LOCK_ORDER wants -DTX=2 -DW0=0 -DW1=0,
 * NO_CASCADE -DFAULTS, NO_EPOCH and EPOCH_EARLY -DFAULTS -DRESUME, BARGING -DFAIR, TICKET_BACK -DSTREAM -DFAULTS -DCRASH -DTX=0, DROP_ANY
 * -DW0=3; the others any size with two writers of one item.
 *
 * Nothing but a prefix of the log is assumed of the disk: a group is there wholly or not at all
 * after a crash between its write and its sync, and after a sync that failed.
 *
 * An item is a version: every write of it makes the next one. Conditions are abstracted: whoever has
 * read an item may write it or answer what it saw (a refusal, the same with the old item, a write
 * that changes nothing, a repeated token); both are tried in every state. With versions a history
 * of one item is linearizable exactly if nobody sees less than what had been answered when it
 * began, and no two writes make the same version.
 *
 * PROPERTIES (assertions, and Spin's own for deadlock)
 *   D  durable:   what was acknowledged, and what was told, is there after a crash at any moment
 *   L  linear:    nobody is told less than what was answered to anybody before he began
 *   S  serial:    a write's reads still hold at its place in the log (no lost update, no skew)
 *   A  atomic:    both rows of a transaction are there, seen by a snapshot, or neither
 *   F  fair:      a lock is granted in the order of arrival
 *   T  tidy:      in the end no lock is held, no one waits, the overlay is empty, all are answered
 *   R  records:   a stream reader never passes a record that turns up later
 *   deadlock:     no invalid end state
 *
 * SEEDED BUGS, -DBUG_...: each must be found.
 *   EARLY_REFUSAL    an answer that rests on a queued row does not wait for it          D
 *   READ_OVERLAY     readers read queued rows                                          D
 *   DROP_EARLY       the overlay forgets a row before it is visible                     S
 *   DROP_ANY         the overlay forgets a row without looking whether it is newer      S
 *   NO_CASCADE       after a failed sync the groups behind it are committed             S
 *   RELEASE_EARLY    the lock goes before the place in the queue is taken               S
 *   STORE_FIRST      a writer looks into the store before the overlay                   S
 *   INSERT_LATE      the overlay learns of a row after the queue                        T
 *   ACK_EARLY        answered when it is queued                                        D
 *   LOCK_ORDER       a transaction locks in the order of its request               deadlock
 *   BARGING          who comes takes a free lock though others wait                     F
 *   TICKET_BACK      a failed write gives its stream number back                        R
 *   NO_EPOCH         a decision from before the store went on gets a place              S
 *   EPOCH_EARLY      the epoch ends with the failure, before its rows are gone          S
 */

#ifndef W0
#define W0 2              /* writers of item 0 */
#endif
#ifndef W1
#define W1 1              /* writers of item 1 */
#endif
#ifndef TX
#define TX 1              /* transactions over both */
#endif
#ifndef READS
#define READS 1           /* rounds of the reader */
#endif
#define CALLS (W0 + W1 + TX)
#define NOBODY 255

#define MAX(a, b) ((a) > (b) -> (a) : (b))

/* The disk and the store. */
byte durable[2];          /* versions that are synced */
byte visible[2];          /* versions that readers see */
byte in_log;              /* places written to the log, synced or not */
byte synced;              /* places synced */
bool fuse;                /* a sync has failed; no write is taken any more */
#ifdef RESUME
byte epoch;               /* how often the store has gone on */
byte began[CALLS];        /* the epoch in which a call has begun to read */

inline begin_reading() { began[me] = epoch }
#ifdef BUG_NO_EPOCH
#define STALE false
#else
#define STALE (began[me] != epoch)
#endif
#define REFUSED (state[me] == FAILED)
#else
inline begin_reading() { skip }
#define STALE false
#define REFUSED (fuse && state[me] == FAILED)
#endif

/* The queue: calls in the order of their places; what each of them wrote and read. */
byte order_[CALLS];
byte queued;
byte wrote[2 * CALLS];    /* version made of item k by call c, 0 for none: [2 * c + k] */
byte based[2 * CALLS];    /* version read, plus one; 0 for not read */
byte state[CALLS];        /* of a write */
#define QUEUED 1
#define DONE 2
#define FAILED 3

/* The overlay: the newest queued row of an item. */
byte over_call[2];        /* NOBODY: none */
byte over_version[2];

/* The locks. */
byte holder[2];
chan waiting0 = [CALLS] of { byte };
chan waiting1 = [CALLS] of { byte };

/* Ghosts: what was answered, and in which order locks were asked for. */
byte told[2];             /* the newest version that anybody was told of */
byte answered;
#ifdef FAIR
byte arrived[2];
byte granted[2];
byte ticket[2 * CALLS];   /* of arrival */

inline arrive(k) {
  arrived[k]++;
  ticket[2 * me + k] = arrived[k]
}
inline grant(k) {
  assert(ticket[2 * holder[k] + k] > granted[k]);          /* F */
  granted[k] = ticket[2 * holder[k] + k]
}
#else
inline arrive(k) { skip }
inline grant(k) { skip }
#endif

#ifdef STREAM
byte number[CALLS];       /* of the stream record, 0 for none */
bool in_use[CALLS];
byte next_number = 1;
byte passed = 1;          /* the reader has read all below */
bool seen[CALLS];
bool shown[CALLS];        /* visible */
#endif

/* `durable` never falls and `told` changes only here, so this is D in every state. */
inline tell(k, v) {
  assert(v <= durable[k]);                                 /* D */
  told[k] = MAX(told[k], v)
}

inline enter(k, queue) {
  atomic {
    arrive(k);
    if
#ifdef BUG_BARGING
    :: holder[k] == NOBODY -> holder[k] = me;
#else
    :: holder[k] == NOBODY && len(queue) == 0 -> holder[k] = me;
#endif
       grant(k)
#ifdef BUG_BARGING
    :: holder[k] != NOBODY -> queue!me
#else
    :: holder[k] != NOBODY || len(queue) > 0 -> queue!me
#endif
    fi
  }
}

/* Handed over by the one who lets it go; or withdrawn, when the deadline of the call has come. */
inline await(k, queue) {
  if
  :: atomic { holder[k] == me -> got = true }
#ifdef DEADLINE
  :: atomic { holder[k] != me && queue??[eval(me)] -> queue??eval(me); got = false }
#endif
  fi
}

inline leave(k, queue) {
  atomic {
    assert(holder[k] == me);
    if
#ifdef BUG_BARGING
    :: len(queue) > 0 -> holder[k] = NOBODY               /* woken, it will come and look */
#else
    :: len(queue) > 0 -> queue?holder[k];
       grant(k)
#endif
    :: len(queue) == 0 -> holder[k] = NOBODY
    fi
  }
}

#ifdef BUG_BARGING
/* The woken one takes the lock if it is still free. */
inline await_woken(k, queue) {
  atomic {
    holder[k] == me || (holder[k] == NOBODY && queue??[eval(me)]) ->
    if
    :: holder[k] == me
    :: else -> queue??eval(me); holder[k] = me;
       grant(k)
    fi;
    got = true
  }
}
#define AWAIT(k, queue) await_woken(k, queue)
#else
#define AWAIT(k, queue) await(k, queue)
#endif

/* The newest version of an item that is queued or visible, and the call that it rests on. */
inline look(k, v, on) {
#ifdef BUG_STORE_FIRST
  v = visible[k];
  atomic { if :: over_call[k] != NOBODY -> v = over_version[k]; on = over_call[k]
              :: else -> on = NOBODY fi }
#else
  atomic { if :: over_call[k] != NOBODY -> v = over_version[k]; on = over_call[k]
              :: else -> on = NOBODY fi };
  if
  :: on == NOBODY -> v = visible[k]
  :: else
  fi
#endif
}

inline insert(k, v) {
  atomic { over_call[k] = me; over_version[k] = v }
}

inline drop(k, c) {
  atomic {
    if
#ifdef BUG_DROP_ANY
    :: wrote[2 * (c) + k] > 0 -> over_call[k] = NOBODY; over_version[k] = 0
#else
    :: over_call[k] == (c) -> over_call[k] = NOBODY; over_version[k] = 0
#endif
    :: else
    fi
  }
}

/* A place in the queue, or none when the fuse has blown. */
inline enqueue() {
  atomic {
    if
    :: fuse || STALE -> state[me] = FAILED
    :: else -> state[me] = QUEUED; order_[queued] = me; queued++
#ifdef BUG_ACK_EARLY
       ; if :: wrote[2 * me] > 0 -> tell(0, wrote[2 * me]) :: else fi;
       if :: wrote[2 * me + 1] > 0 -> tell(1, wrote[2 * me + 1]) :: else fi
#endif
    fi
  }
}

#ifdef STREAM
inline take_number() {
  atomic { number[me] = next_number; next_number++; in_use[me] = true }
}
#endif

/* Tells what was seen of an item when the row it rests on is durable; says nothing if it failed. */
inline answer_seen(k, v, on, least) {
#ifndef BUG_EARLY_REFUSAL
  if
  :: on == NOBODY
  :: else -> (state[on] >= DONE)
  fi;
#endif
  atomic {
    if
    :: on != NOBODY && state[on] == FAILED       /* an error, whatever is on the disk */
    :: else -> assert(v >= least);                         /* L */
       tell(k, v)
    fi
  }
}

proctype Writer(byte me; byte k) {
  byte least, v, on;
  bool got;
  least = told[k];
  if :: k == 0 -> enter(0, waiting0) :: else -> enter(1, waiting1) fi;
  if :: k == 0 -> AWAIT(0, waiting0) :: else -> AWAIT(1, waiting1) fi;
  if
  :: !got
  :: else ->
    begin_reading();
    look(k, v, on);
    if
    :: true ->                                   /* it writes */
#ifdef BUG_RELEASE_EARLY
      if :: k == 0 -> leave(0, waiting0) :: else -> leave(1, waiting1) fi;
#endif
      d_step {
        assert(v >= least);                                /* L */
        wrote[2 * me + k] = v + 1;
        based[2 * me + k] = v + 1
      };
#ifdef STREAM
      take_number();
#endif
#ifdef BUG_INSERT_LATE
      enqueue();
      if :: state[me] != FAILED -> insert(k, v + 1) :: else fi;
#else
      insert(k, v + 1);
      enqueue();
      if :: REFUSED -> drop(k, me) :: else fi;
#endif
#ifndef BUG_RELEASE_EARLY
      if :: k == 0 -> leave(0, waiting0) :: else -> leave(1, waiting1) fi;
#endif
      (state[me] >= DONE)
    :: true ->                                   /* it answers what it saw */
      if :: k == 0 -> leave(0, waiting0) :: else -> leave(1, waiting1) fi;
      answer_seen(k, v, on, least)
    fi
  fi;
  answered++
}

proctype Transaction(byte me) {
  byte least0, least1, v0, v1, on0, on1;
  bool got;
  atomic { least0 = told[0]; least1 = told[1] };
#ifdef BUG_LOCK_ORDER
  if
  :: me % 2 == 0 -> enter(1, waiting1); AWAIT(1, waiting1); enter(0, waiting0); AWAIT(0, waiting0)
  :: else -> enter(0, waiting0); AWAIT(0, waiting0); enter(1, waiting1); AWAIT(1, waiting1)
  fi;
#else
  enter(0, waiting0);
  AWAIT(0, waiting0);
  if
  :: !got -> goto end
  :: else
  fi;
  enter(1, waiting1);
  AWAIT(1, waiting1);
  if
  :: !got -> leave(0, waiting0); goto end
  :: else
  fi;
#endif
  begin_reading();
  look(0, v0, on0);
  look(1, v1, on1);
  if
  :: true ->                                     /* it writes both */
    assert(v0 >= least0 && v1 >= least1);                  /* L */
    d_step {
      wrote[2 * me] = v0 + 1; based[2 * me] = v0 + 1;
      wrote[2 * me + 1] = v1 + 1; based[2 * me + 1] = v1 + 1
    };
    insert(0, v0 + 1);
    insert(1, v1 + 1);
    enqueue();
    if :: REFUSED -> drop(0, me); drop(1, me) :: else fi;
    leave(1, waiting1);
    leave(0, waiting0);
    (state[me] >= DONE)
  :: true ->                                     /* it checks item 0 and writes item 1 */
    assert(v0 >= least0 && v1 >= least1);
    d_step {
      based[2 * me] = v0 + 1;
      wrote[2 * me + 1] = v1 + 1; based[2 * me + 1] = v1 + 1
    };
    insert(1, v1 + 1);
    enqueue();
    if :: REFUSED -> drop(1, me) :: else fi;
    leave(1, waiting1);
    leave(0, waiting0);
    (state[me] >= DONE)
  :: true ->                                     /* it is refused, or only checks */
    leave(1, waiting1);
    leave(0, waiting0);
#ifndef BUG_EARLY_REFUSAL
    (on0 == NOBODY || state[on0] >= DONE);
    (on1 == NOBODY || state[on1] >= DONE);
#endif
    atomic {
      if
      :: (on0 != NOBODY && state[on0] == FAILED) || (on1 != NOBODY && state[on1] == FAILED)
      :: else ->
        assert(v0 >= least0 && v1 >= least1);              /* L */
        tell(0, v0);
        tell(1, v1)
      fi
    }
  fi;
end:
  answered++
}

proctype Reader() {
  byte round, v0, v1, least0, least1, c;
  do
  :: round < READS ->
    round++;
    /* GetItem of item 0. */
    least0 = told[0];
    v0 = visible[0];
#ifdef BUG_READ_OVERLAY
    atomic { if :: over_call[0] != NOBODY -> v0 = over_version[0] :: else fi };
#endif
    atomic { assert(v0 >= least0); tell(0, v0) };          /* L */
    /* TransactGetItems: one snapshot. */
    atomic { least0 = told[0]; least1 = told[1] };
    atomic { v0 = visible[0]; v1 = visible[1] };
    atomic {
      assert(v0 >= least0 && v1 >= least1);                /* L */
      c = 0;
      do
      :: c < CALLS ->
        if
        :: wrote[2 * c] > 0 && wrote[2 * c + 1] > 0 && state[c] == DONE ->
          assert((v0 >= wrote[2 * c]) == (v1 >= wrote[2 * c + 1]))               /* A */
        :: else
        fi;
        c++
      :: else -> break
      od;
      c = 0;
      tell(0, v0);
      tell(1, v1)
    }
#ifdef STREAM
    /* GetRecords: up to the lowest number in use. */
    atomic {
      v0 = next_number;
      c = 0;
      do
      :: c < CALLS ->
        if :: in_use[c] && number[c] < v0 -> v0 = number[c] :: else fi;
        c++
      :: else -> break
      od
    };
    atomic {
      c = 0;
      do
      :: c < CALLS ->
        if :: number[c] > 0 && number[c] < v0 && shown[c] -> seen[c] = true :: else fi;
        c++
      :: else -> break
      od;
      passed = v0;
      c = 0
    }
#endif
  :: else -> break
  od
}

/* Applies the places [from, to) of the log to the versions of item k. */
inline apply(k, from, to, version) {
  c = from;
  do
  :: c < to ->
    assert(based[2 * order_[c] + k] == 0 || based[2 * order_[c] + k] == version + 1);      /* S */
    if
    :: wrote[2 * order_[c] + k] > 0 -> version = wrote[2 * order_[c] + k]
    :: else
    fi;
    c++
  :: else -> break
  od;
  c = 0
}

inline drop_group(from, to) {
  at = from;
  do
  :: at < to -> drop(0, order_[at]); drop(1, order_[at]); at++
  :: else -> break
  od;
  at = 0
}

proctype Committer() {
  byte from, to, at, c;
  do
  :: atomic { queued > from && !fuse ->
      to = from + 1;
      do :: to < queued -> to++ :: break od;     /* any group from the head of the queue */
      in_log = to
    };
    if
    :: atomic {                                  /* the sync answers */
        synced = to;
        apply(0, from, to, durable[0]);
        apply(1, from, to, durable[1])
      };
#ifdef BUG_DROP_EARLY
      drop_group(from, to);
#endif
      atomic {
        at = from;
        do
        :: at < to ->
          if :: wrote[2 * order_[at]] > 0 -> visible[0] = wrote[2 * order_[at]] :: else fi;
          if :: wrote[2 * order_[at] + 1] > 0 -> visible[1] = wrote[2 * order_[at] + 1] :: else fi;
#ifdef STREAM
          shown[order_[at]] = true;
#endif
          at++
        :: else -> break
        od;
        at = 0
      };
#ifndef BUG_DROP_EARLY
      drop_group(from, to);
#endif
      at = from;
      do
      :: at < to ->
        atomic {                                 /* one answer after the other */
          c = order_[at];
          if :: wrote[2 * c] > 0 -> tell(0, wrote[2 * c]) :: else fi;
          if :: wrote[2 * c + 1] > 0 -> tell(1, wrote[2 * c + 1]) :: else fi;
#ifdef STREAM
          in_use[c] = false;
#endif
          state[c] = DONE;
          at++;
          c = 0
        }
      :: else -> break
      od;
      at = 0;
      from = to
#ifdef FAULTS
    :: true ->                                   /* the sync fails */
#ifdef BUG_NO_CASCADE
      drop_group(from, to);
#else
      atomic {                                   /* with all that is queued behind */
        fuse = true; to = queued
#if defined(RESUME) && defined(BUG_EPOCH_EARLY)
        ; epoch++
#endif
      };
      drop_group(from, to);
#endif
      at = from;
      do
      :: at < to -> atomic { state[order_[at]] = FAILED;
#ifdef BUG_TICKET_BACK
                             in_use[order_[at]] = false;
#endif
                             at++ }
      :: else -> break
      od;
      at = 0;
      from = to
#endif
    fi
#ifdef RESUME
  /* Memory goes to tables and a new log begins: what failed is nowhere. */
  :: atomic { fuse ->
      fuse = false;
#ifndef BUG_EPOCH_EARLY
      epoch++;
#endif
      synced = from;
      in_log = from
    }
#endif
  :: answered == CALLS -> break
  od
}

/* The call k at place c has failed, and the store has gone on: its versions are given again. */
#ifdef RESUME
#define GONE (state[k] == FAILED && c < synced)
#else
#define GONE false
#endif

/* The power goes, at any moment: what is found then? */
proctype Crash() {
  byte found0, found1;
  byte c, k, to;
  atomic {
    found0 = durable[0];
    found1 = durable[1];
    to = synced;
    if
    :: true
    :: in_log > synced ->                        /* the group under way happens to be there */
      to = in_log;
#ifndef BUG_NO_CASCADE
      apply(0, synced, in_log, found0);
      apply(1, synced, in_log, found1)
#endif
    fi;
    assert(found0 >= told[0] && found1 >= told[1]);    /* D */
    c = 0;
    do
    :: c < queued ->
      k = order_[c];
      if
      :: !GONE && wrote[2 * k] > 0 && wrote[2 * k + 1] > 0 ->
        assert((found0 >= wrote[2 * k]) == (found1 >= wrote[2 * k + 1]))           /* A */
      :: else
      fi;
#ifdef STREAM
      if
      :: c < to && !GONE && number[k] > 0 && number[k] < passed -> assert(seen[k])              /* R */
      :: else
      fi;
#endif
      c++
    :: else -> break
    od
  }
}

init {
  byte c;
  atomic {
    holder[0] = NOBODY;
    holder[1] = NOBODY;
    over_call[0] = NOBODY;
    over_call[1] = NOBODY;
    do
    :: c < W0 -> run Writer(c, 0); c++
    :: c >= W0 && c < W0 + W1 -> run Writer(c, 1); c++
    :: c >= W0 + W1 && c < CALLS -> run Transaction(c); c++
    :: else -> break
    od;
    run Committer();
    run Reader();
#ifdef CRASH
    run Crash()
#endif
  };
  (_nr_pr == 1);
  assert(answered == CALLS);                               /* T */
  assert(holder[0] == NOBODY && holder[1] == NOBODY);
  assert(over_call[0] == NOBODY && over_call[1] == NOBODY);
  assert(len(waiting0) == 0 && len(waiting1) == 0)
}
