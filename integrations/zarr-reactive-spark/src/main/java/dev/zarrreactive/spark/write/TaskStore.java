package dev.zarrreactive.spark.write;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.icechunk.IcechunkOrigin;
import dev.zarrreactive.icechunk.IcechunkSession;
import dev.zarrreactive.partition.Pull;
import dev.zarrreactive.partition.StoreDescription;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.Stores;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The store that tasks write to, as the driver sends it to them: the store itself, or a fork of the
 * driver's session, whose changes each task sends back. What a task has changed in a fork is seen
 * by nobody before the driver has merged and committed it, so that tasks that fail, that are killed
 * or repeated, and a second attempt beside the first one, leave nothing but objects that nothing
 * refers to.
 *
 * @param description of the store; of a version of the repository where there is a fork
 * @param fork of the session; null where tasks write to the store itself
 * @param path in the repository at which the store begins; empty for its root
 */
@SuppressWarnings("ArrayRecordComponent") // is never compared
record TaskStore(StoreDescription description, byte @Nullable [] fork, String path)
    implements Serializable {
  private static final long serialVersionUID = 1;

  /** What a task writes. */
  interface Writing {
    void to(ZarrHierarchy hierarchy) throws IOException;
  }

  /** Describes a store that tasks write to themselves. */
  static TaskStore itself(StoreDescription description) {
    return new TaskStore(description, null, "");
  }

  /**
   * Writes, and returns what the driver merges; nothing where the store itself was written to.
   *
   * @param isNew true if the arrays are new, so that each value of the store is set once
   */
  List<byte[]> write(boolean isNew, Writing writing) throws IOException {
    byte[] given = fork;
    if (given != null) {
      IcechunkSession session = Pull.one(opened(Bytes.wrap(given)));
      Store store = path.isEmpty() ? session : Stores.prefixed(session, StorePrefix.of(path + "/"));
      writing.to(Zarr.hierarchy(store));
      return List.of(Pull.one(session.changes()).toByteArray());
    }
    ZarrHierarchy hierarchy = Pull.one(description.open(ZarrOptions.defaults()));
    try {
      writing.to(
          isNew
              ? Zarr.hierarchy(new WriteOnceStore(hierarchy.store()), hierarchy.options())
              : hierarchy);
    } finally {
      Pull.one(hierarchy.store().close().thenReturn(true));
    }
    return List.of();
  }

  /** Opens a fork; the tasks of one process share the repository. */
  private Mono<IcechunkSession> opened(Bytes given) {
    return description
        .read(
            ZarrOptions.defaults(),
            hierarchy ->
                IcechunkOrigin.of(hierarchy.store())
                    .orElseThrow()
                    .repository()
                    .openFork(given)
                    .flux())
        .next();
  }
}
