package dev.zarrreactive.simulation;

import dev.zarrreactive.simulation.Mutation.Edit;
import java.util.stream.Stream;

/** Faults of the stores and their decorators. */
final class StoreMutations {
  private StoreMutations() {}

  static Stream<Mutation> all() {
    return Stream.of(
        Mutation.of(
            "a limit stands above the cache: hits take permits",
            11,
            new Edit(
                "store.decorator.Stores",
                "Store store = limit == null ? OriginStore.gated(origin)"
                    + " : Stores.limited(origin, limit);",
                "Store store = OriginStore.gated(origin);"),
            new Edit(
                "store.decorator.Stores",
                "return cache == null ? store : Stores.cached(store, cache);",
                "store = cache == null ? store : Stores.cached(store, cache);"
                    + " return limit == null ? store : new LimitedStore(store, limit);")),
        Mutation.of(
            "a limit stands above retries: back-offs hold permits",
            86,
            new Edit(
                "store.decorator.Stores",
                "Store store = limit == null ? OriginStore.gated(origin)"
                    + " : Stores.limited(origin, limit);",
                "Store store = OriginStore.gated(origin);"),
            new Edit(
                "store.decorator.Stores",
                "store = hedges == null",
                "store = limit == null ? store : new LimitedStore(store, limit);"
                    + " store = hedges == null")),
        Mutation.of(
            "a store that throws leaves a fetch that later reads join",
            ScenarioGenerator.AT_ONCE + 94,
            new Edit(
                "store.decorator.StoreOrigin",
                "return new FailingStore(new AdmittedStore(decorated, gate,"
                    + " gate.admitted(limit, probe)));",
                "return new AdmittedStore(decorated, gate, gate.admitted(limit, probe));")),
        Mutation.of(
            "a cancelled request keeps its permit",
            6,
            new Edit(
                "store.decorator.RequestLimit",
                ".doFinally(end -> ticket.release())",
                ".doFinally(end -> {})")),
        Mutation.of(
            "a request that fails keeps its permit",
            5,
            new Edit(
                "store.decorator.RequestLimit",
                "change(adaptive.refused(begunIn, underWay.get() - 1));\n        }\n      }\n"
                    + "      end(before);",
                "change(adaptive.refused(begunIn, underWay.get() - 1));\n        }\n      }\n")),
        Mutation.of(
            "the permit of a waiter that has left is lost",
            6,
            new Edit(
                "internal.flow.AsyncSemaphore", "        waiting.remove(operation, this);\n", "")),
        Mutation.of(
            "who joins a request later gets its error",
            55,
            new Edit(
                "internal.sharing.SharedRequest",
                "    if (state != State.OPEN) {\n      return null;\n    }\n",
                "    if (state == State.ABANDONED) {\n      return null;\n    }\n"),
            new Edit(
                "internal.cache.LoadingCache",
                "public void failed(SharedRequest<V> failed) {\n"
                    + "      synchronized (LoadingCache.this) {\n"
                    + "        end();",
                "public void failed(SharedRequest<V> failed) {\n"
                    + "      synchronized (LoadingCache.this) {\n")),
        Mutation.of(
            "a write is repeated after its cancel",
            12,
            new Edit(
                "internal.sharing.AttemptShield",
                "return Mono.firstWithSignal(end, step);",
                "return step;")),
        Mutation.of(
            "a cache keeps what was replaced through it",
            2,
            new Edit(
                "store.decorator.CachedStore",
                "return change(delegate().set(key, value, precondition),"
                    + " () -> kept.forget(key));",
                "return delegate().set(key, value, precondition);"),
            new Edit(
                "store.decorator.CachedStore",
                "return change(delegate().set(key, value), () -> kept.forget(key));",
                "return delegate().set(key, value);")),
        Mutation.of(
            "a cache keeps what was read before a write had ended",
            1110,
            new Edit(
                "internal.cache.LoadingCache",
                "if (generations.of(group) != generation || isOutdated(group, value)) {",
                "if (isOutdated(group, value)) {")),
        Mutation.of(
            "a cache forgets nothing when a prefix is erased",
            536,
            new Edit(
                "store.decorator.CachedStore",
                "return change(delegate().erasePrefix(prefix),"
                    + " () -> kept.forgetBelow(prefix));",
                "return delegate().erasePrefix(prefix);")),
        Mutation.of(
            "a cache does not ask whether an old value has changed",
            179,
            new Edit(
                "store.decorator.StoredValueCache",
                "return freshNanos == Long.MAX_VALUE"
                    + " || clock.getAsLong() - confirmedAt(known) < freshNanos",
                "return true")),
        Mutation.of(
            "a failed request waits for a second one that is never made",
            43,
            new Edit(
                "store.decorator.HedgedStore",
                "answer(request).doOnError(error -> over.tryEmitEmpty())",
                "answer(request)")),
        Mutation.of(
            "each request that a server refuses pays for its own retries",
            ScenarioGenerator.RESTARTING,
            new Edit(
                "store.decorator.RetryingStore",
                "return isRefused ? awaitServer(failure, probed, attempt)",
                "return isRefused ? backOff(passing, attempt)")),
        Mutation.of(
            "a refused connection is an error at once",
            ScenarioGenerator.RESTARTING,
            new Edit(
                "store.decorator.Outage", "timeLeft() > 0 && payment.getAsBoolean()", "false")),
        Mutation.of(
            "who waits for a probe is forgotten",
            ScenarioGenerator.RESTARTING,
            new Edit(
                "store.decorator.Outage",
                "timer.schedule(() -> released.forEach(Turn::begin));",
                "timer.schedule(released::clear);")),
        Mutation.of(
            "the last who leaves a shared request does not cancel it",
            122,
            new Edit("internal.sharing.SharedRequest", "      abandoned.cancel();\n", "")),
        Mutation.of(
            "who leaves a shared request is told of its error",
            ScenarioGenerator.KEYED + 1467,
            new Edit(
                "internal.sharing.SharedRequest", "if (!each.isCancelled()) {", "if (true) {")),
        Mutation.of(
            "each request that waits looks up a key of its own",
            ScenarioGenerator.KEYED,
            new Edit(
                "internal.credential.Credentials",
                "next = lookUp == null ? null : lookUp.tryJoin();",
                "next = null;")),
        Mutation.of(
            "a key that was refused stays in use",
            ScenarioGenerator.KEYED,
            new Edit("internal.credential.Credentials", "    used.refuse();\n", ""),
            new Edit(
                "internal.credential.HeldCredential", "!isRefused && now < expiryMillis", "true")));
  }
}
