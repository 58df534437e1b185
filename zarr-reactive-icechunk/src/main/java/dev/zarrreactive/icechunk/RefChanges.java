package dev.zarrreactive.icechunk;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.icechunk.Feature;
import dev.zarrreactive.internal.icechunk.RepoState;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import reactor.core.publisher.Mono;

/** Makes, moves and deletes the branches and tags of a repository of version 2. */
final class RefChanges {
  private static final String MAIN = "main";

  private final IcechunkRepository repository;
  private final RepositoryFiles files;

  RefChanges(IcechunkRepository repository, RepositoryFiles files) {
    this.repository = repository;
    this.files = files;
  }

  Mono<IcechunkRepository> createBranch(String name, String snapshot) {
    return change(
        "the new branch \"" + name + "\"",
        state -> {
          checkName("branch", name);
          state.check(Feature.CREATE_BRANCH);
          checkSnapshot(state, snapshot);
          if (state.branches().containsKey(name)) {
            throw refusal("there is a branch \"" + name + "\"; resetBranch moves it");
          }
        },
        (state, backup) -> state.createBranch(name, snapshot, backup));
  }

  Mono<IcechunkRepository> resetBranch(String name, String snapshot) {
    return change(
        "the reset of branch \"" + name + "\"",
        state -> {
          state.check(Feature.RESET_BRANCH);
          checkBranch(state, name);
          checkSnapshot(state, snapshot);
        },
        (state, backup) -> state.resetBranch(name, snapshot, backup));
  }

  Mono<IcechunkRepository> deleteBranch(String name) {
    return change(
        "the deletion of branch \"" + name + "\"",
        state -> {
          state.check(Feature.DELETE_BRANCH);
          if (name.equals(MAIN)) {
            throw refusal("the branch \"main\" cannot be deleted: every repository has it");
          }
          checkBranch(state, name);
        },
        (state, backup) -> state.deleteBranch(name, backup));
  }

  Mono<IcechunkRepository> createTag(String name, String snapshot) {
    return change(
        "the new tag \"" + name + "\"",
        state -> {
          checkName("tag", name);
          state.check(Feature.CREATE_TAG);
          checkSnapshot(state, snapshot);
          if (state.tags().containsKey(name)) {
            throw refusal("there is a tag \"" + name + "\", and a tag never moves");
          }
          if (state.isDeletedTag(name)) {
            throw refusal("the tag \"" + name + "\" was deleted, and its name is never used again");
          }
        },
        (state, backup) -> state.createTag(name, snapshot, backup));
  }

  Mono<IcechunkRepository> deleteTag(String name) {
    return change(
        "the deletion of tag \"" + name + "\"",
        state -> {
          state.check(Feature.DELETE_TAG);
          if (!state.tags().containsKey(name)) {
            throw Missing.tag(files, name, state.isDeletedTag(name), state.tags().keySet());
          }
        },
        (state, backup) -> state.deleteTag(name, backup));
  }

  private void checkBranch(RepoState state, String name) {
    if (!state.branches().containsKey(name)) {
      throw Missing.branch(files, name, state.branches().keySet());
    }
  }

  private void checkSnapshot(RepoState state, String snapshot) {
    if (!state.has(snapshot)) {
      throw Missing.unknownSnapshot(files, snapshot);
    }
  }

  private static void checkName(String kind, String name) {
    if (name.isEmpty() || name.indexOf('/') >= 0) {
      throw refusal(
          "the name of a " + kind + " has a character and no slash, unlike \"" + name + "\"");
    }
  }

  private static StoreException refusal(String why) {
    return new StoreException(why, Location.UNKNOWN);
  }

  private Mono<IcechunkRepository> change(
      String what, Consumer<RepoState> check, BiConsumer<RepoState, String> apply) {
    return Sessions.checkVersion(repository)
        .then(Mono.defer(Sessions::ids))
        .flatMap(
            ids ->
                new RepoUpdates(files, ids)
                    .run(
                        what,
                        state -> {
                          check.accept(state);
                          return Mono.just(
                              new RepoUpdates.Change<>(
                                  what,
                                  Map.of(),
                                  (now, backup) -> {
                                    apply.accept(now, backup);
                                    return now;
                                  }));
                        }))
        .then(Mono.defer(repository::refresh));
  }
}
