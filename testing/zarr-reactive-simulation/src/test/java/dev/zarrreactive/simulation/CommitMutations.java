package dev.zarrreactive.simulation;

import dev.zarrreactive.simulation.Mutation.Edit;
import java.util.stream.Stream;

/** Faults of commits to a repository. */
final class CommitMutations {
  private static final long FIRST = ScenarioGenerator.COMMITTING;

  private CommitMutations() {}

  static Stream<Mutation> all() {
    return Stream.of(
        Mutation.of(
            "the info of a repository is replaced without a condition",
            FIRST,
            new Edit(
                "icechunk.RepoUpdates",
                "Precondition.matches(read.version())",
                "Precondition.NONE")),
        Mutation.of(
            "a commit does not rebase",
            FIRST,
            new Edit(
                "icechunk.Commit",
                "(tip.equals(changes.base().entry().id()) ? Mono.<Void>empty() : rebase(state,"
                    + " tip))",
                "Mono.<Void>empty()")),
        Mutation.of(
            "a rebase tells no conflict",
            FIRST + 1,
            new Edit(
                "icechunk.Commit",
                "conflicts.isEmpty() ? files.snapshot(tip) : Mono.error(conflict(conflicts))",
                "files.snapshot(tip)")),
        Mutation.of(
            "a rebase loses the chunks of the other commit",
            FIRST,
            new Edit(
                "icechunk.ChangeSet",
                "node.baseGrid = node.document == null ? theirs : theirs.cutTo(ours);",
                "")),
        Mutation.of(
            "a snapshot that was made before is taken for a later tip, too",
            FIRST,
            new Edit(
                "icechunk.Commit",
                "earlier != null && parent.equals(earlier.on())",
                "earlier != null")),
        Mutation.of(
            "a commit whose answer was lost is made again",
            FIRST + 32,
            new Edit(
                "icechunk.RepoUpdates",
                "return done(read.state()).switchIfEmpty(Mono.defer(() -> fresh(read)));",
                "return fresh(read);")),
        Mutation.of(
            "a commit whose answer was lost is an error",
            FIRST + 32,
            new Edit(
                "icechunk.RepoUpdates",
                "boolean mayTryAgain = error instanceof TransientStoreException && failures <"
                    + " MOST_FAILURES;\n",
                "boolean mayTryAgain = true;\n if (tries > 0) { return Mono.error(error); }\n")),
        Mutation.of(
            "an amendment takes the place of a commit that it has not seen",
            FIRST + 6,
            new Edit(
                "icechunk.Commit",
                "if (wanted.isAmendment()) {\n      return Mono.error(\n"
                    + "          () -> conflict(List.of(new Conflict(Kind.AMENDED_IS_NOT_LAST",
                "if (tip.isEmpty()) {\n      return Mono.error(\n"
                    + "          () -> conflict(List.of(new Conflict(Kind.AMENDED_IS_NOT_LAST")),
        Mutation.of(
            "a reset branch is no conflict",
            FIRST + 18,
            new Edit(
                "icechunk.Commit",
                "if (between == null) {",
                "if (between == null) {\n      return files.snapshot(tip).doOnNext(changes::rebase)"
                    + ".then();\n    }\n    if (base.isEmpty()) {")),
        Mutation.of(
            "a rebase looks at the last commit alone",
            FIRST + 33,
            new Edit(
                "icechunk.Commit",
                "return conflictsWith(state, between)\n",
                "return conflictsWith(state, between.subList(between.size() - 1, between.size()))\n")),
        Mutation.of(
            "an amendment follows a snapshot that has expired",
            ScenarioGenerator.CLEANING + 504,
            new Edit(
                "icechunk.Commit",
                "&& stillFollows(state, earlier.entry())",
                "&& earlier.entry().parent() != null")),
        Mutation.of(
            "a manifest of a commit is not stored",
            FIRST,
            new Edit(
                "icechunk.RepoUpdates",
                "return Concurrently.map(\n              Flux.fromIterable(before.entrySet()),",
                "return Concurrently.map(\n              Flux.fromIterable(before.entrySet())"
                    + ".filter(each -> !each.getKey().value().startsWith(\"manifests\")),")));
  }
}
