package dev.zarrreactive.interop;

import com.sun.management.ThreadMXBean;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ConsolidatedMetadata;
import dev.zarrreactive.store.Store;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import reactor.core.scheduler.Schedulers;

/**
 * What became of a malformed case.
 *
 * @param error why it was refused; null where it was not
 * @param allocated how many bytes of the heap that took
 */
record Refusal(When when, Throwable error, long allocated) {
  enum When {
    AT_OPEN,
    AT_READ,
    /** A group that can be used, while nobody sees its malformed child. */
    BAD_NODE_IS_HIDDEN,
    NEVER
  }

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final String V2_CONSOLIDATED = ".zmetadata";
  private static final long LARGEST_READ_BY_CHUNKS = 1 << 20;

  /**
   * Opens the node and reads all of it, on this thread alone, so that its memory can be counted.
   */
  static Refusal of(Fixture fixture, Store store) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    When when = When.AT_OPEN;
    Throwable error = null;
    try {
      ZarrHierarchy hierarchy =
          Zarr.hierarchy(store, ZarrOptions.defaults().withCodecScheduler(Schedulers.immediate()));
      if (fixture.text("node").equals("group")) {
        ZarrGroup group = hierarchy.openGroup(fixture.text("path")).block();
        when = When.NEVER;
        if (fixture.description().get("also_acceptable") != null && hidesBadNodes(fixture, group)) {
          when = When.BAD_NODE_IS_HIDDEN;
        }
      } else {
        ZarrArray array = hierarchy.openArray(fixture.text("path")).block();
        when = When.AT_READ;
        read(array);
        when = When.NEVER;
      }
    } catch (Throwable e) {
      error = e;
    }
    return new Refusal(when, error, THREADS.getCurrentThreadAllocatedBytes() - before);
  }

  /** Both ways of reading must refuse; what one of them accepts is returned from normally. */
  private static void read(ZarrArray array) {
    if (array.shape().elementCount().bitLength() < Long.bitCount(LARGEST_READ_BY_CHUNKS - 1)) {
      RuntimeException first = null;
      try {
        array.chunks(Selection.all()).blockLast();
      } catch (RuntimeException e) {
        first = e;
      }
      if (first == null) {
        return;
      }
    }
    array.read(Selection.all()).block();
  }

  private static boolean hidesBadNodes(Fixture fixture, ZarrGroup group) {
    Set<String> bad =
        fixture.keys().contains(V2_CONSOLIDATED)
            ? consolidatedPathsOfVersion2(fixture.value(V2_CONSOLIDATED))
            : consolidatedPaths(group.metadata().document());
    List<String> listed =
        group.tree().map(node -> node.path().value()).collectList().blockOptional().orElseThrow();
    ConsolidatedMetadata consolidated = group.metadata().consolidated();
    for (String path : bad) {
      if (listed.stream().anyMatch(node -> node.endsWith(path))
          || (consolidated != null && consolidated.paths().contains(path))
          || opens(group, path)) {
        return false;
      }
    }
    return !bad.isEmpty();
  }

  private static Set<String> consolidatedPaths(JsonObject document) {
    JsonValue consolidated = document.get("consolidated_metadata");
    return consolidated instanceof JsonObject object
            && object.get("metadata") instanceof JsonObject nodes
        ? nodes.members().keySet()
        : Set.of();
  }

  /**
   * The nodes but for the group itself: the keys of their documents without the documents' names.
   */
  private static Set<String> consolidatedPathsOfVersion2(byte[] document) {
    return JsonDocument.parse(ByteBuffer.wrap(document), Location.UNKNOWN)
        .member("metadata")
        .object()
        .members()
        .keySet()
        .stream()
        .map(key -> key.substring(0, Math.max(0, key.lastIndexOf('/'))))
        .filter(path -> !path.isEmpty())
        .collect(Collectors.toSet());
  }

  private static boolean opens(ZarrGroup group, String path) {
    try {
      return group.open(path).block() != null;
    } catch (RuntimeException e) {
      return false;
    }
  }
}
