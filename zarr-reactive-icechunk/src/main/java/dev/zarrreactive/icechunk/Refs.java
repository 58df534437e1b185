package dev.zarrreactive.icechunk;

import dev.zarrreactive.internal.icechunk.SnapshotEntry;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The branches, tags and history of a repository, wherever its version keeps them. */
interface Refs {
  /** The version of the specification. */
  int specVersion();

  /** The branches by name. */
  Flux<IcechunkRef> branches();

  /** The tags by name. */
  Flux<IcechunkRef> tags();

  /** The id of the snapshot of a version; an error where there is none. */
  Mono<String> snapshotOf(IcechunkVersion version);

  /** What is told of a snapshot; empty where it must be asked itself. */
  Mono<SnapshotEntry> entry(String snapshot);

  /** The snapshot of an id and those before it, newest first. */
  Flux<SnapshotEntry> history(String snapshot);

  /** What the repository allows. */
  IcechunkStatus status();

  /** The containers of virtual chunks in the configuration. */
  Flux<IcechunkContainer> containers();

  /** The prefixes of the containers that have names, where they are known without a request. */
  Map<String, String> containerNames();

  /** What of its file is not in the order that the specification demands. */
  List<String> disorders();

  /** The state of now. */
  Mono<Refs> refresh();
}
