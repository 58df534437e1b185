package dev.zarrreactive.server;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.internal.sharing.SharedRequest;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.MetadataLimits;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.metadata.UnreadableMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The consolidated metadata of the root group, and of groups that links open, made of their trees
 * where the store has none. A document is made once for all of its readers, and again when it is
 * some seconds old. The stored bytes are served in place of one that would be too large, and of one
 * that cannot be made.
 */
final class SynthesizedMetadata {
  private static final Duration AGE = Duration.ofSeconds(5);

  /** The groups whose documents are kept. */
  private static final int MOST_GROUPS = 16;

  private final Store store;
  private final ServerLimits limits;
  private final ZarrHierarchy ofFormat2;
  private final ZarrHierarchy ofFormat3;

  /** The documents by their keys, the one that was asked for last at the end. */
  private final Map<StoreKey, Source> sources = new LinkedHashMap<>(2 * MOST_GROUPS, 0.75f, true);

  SynthesizedMetadata(Store store, ServerLimits limits) {
    this.store = store;
    this.limits = limits;
    this.ofFormat2 = hierarchy(2);
    this.ofFormat3 = hierarchy(3);
  }

  /** Returns a reader of one format. It is made early, since the codecs are looked for in files. */
  private ZarrHierarchy hierarchy(int format) {
    return Zarr.hierarchy(
        store,
        ZarrOptions.defaults()
            .withConsolidatedMetadata(false)
            .withZarrFormat(format)
            .withMetadataLimits(MetadataLimits.defaults().withBytes(limits.documentBytes())));
  }

  /** A document and its ETag. */
  record Document(Bytes bytes, String tag) {}

  /**
   * Emits the document in place of the stored one; empty where the stored one is to be served.
   *
   * @param root the path of the group that the client takes for the root; empty for that of the
   *     store
   */
  Mono<Document> at(StoreKey key, String root) {
    Source source = source(key, root);
    return source == null || !store.capabilities().contains(StoreCapability.LIST)
        ? Mono.empty()
        : Mono.defer(source::document);
  }

  private @Nullable Source source(StoreKey key, String root) {
    String above = root.isEmpty() ? "" : root + "/";
    int format =
        key.value().equals(above + NodePath.DOCUMENT)
            ? 3
            : key.value().equals(above + NodePath.V2_CONSOLIDATED) ? 2 : 0;
    NodePath group = format == 0 ? null : group(root);
    if (group == null) {
      return null;
    }
    synchronized (sources) {
      Source found = sources.get(key);
      if (found == null) {
        found = new Source(format, group);
        sources.put(key, found);
        if (sources.size() > MOST_GROUPS) {
          sources.remove(sources.keySet().iterator().next());
        }
      }
      return found;
    }
  }

  private static @Nullable NodePath group(String path) {
    try {
      return NodePath.of(path);
    } catch (IllegalArgumentException e) {
      return null; // a link may lead to a path that is none of nodes
    }
  }

  /** Makes the document of one group in one format. */
  private final class Source {
    private final int format;
    private final NodePath group;
    private final AtomicReference<@Nullable Flight> last = new AtomicReference<>();

    Source(int format, NodePath group) {
      this.format = format;
      this.group = group;
    }

    private record Flight(SharedRequest<Document> request, long begunAt) {}

    Mono<Document> document() {
      long now = Environment.current().nanoTime();
      Flight latest = last.get();
      if (latest != null && now - latest.begunAt < AGE.toNanos()) {
        Mono<Document> joined = latest.request.tryJoin();
        if (joined != null) {
          return joined;
        }
      }
      Flight next = new Flight(new SharedRequest<>(synthesized()), now);
      if (!last.compareAndSet(latest, next)) {
        return document();
      }
      Mono<Document> begun = next.request.tryJoin();
      return begun == null ? document() : begun;
    }

    private Mono<Document> synthesized() {
      return (format == 2 ? ofFormat2 : ofFormat3)
          .openGroup(group.value())
          .filter(group -> !isDone(group.metadata()))
          .flatMap(this::collected)
          // the stored document tells of the problem; a store that fails is an error here, too
          .onErrorResume(MetadataException.class, e -> Mono.empty())
          .onErrorResume(NodeNotFoundException.class, e -> Mono.empty())
          .onErrorResume(StoreCapabilityException.class, e -> Mono.empty());
    }

    private boolean isDone(GroupMetadata root) {
      return root.zarrFormat() != format || root.carriesConsolidated();
    }

    private Mono<Document> collected(ZarrGroup root) {
      return root.tree()
          .take(limits.nodes() + 1L)
          .reduce(new Tree(), Tree::with)
          .filter(tree -> tree.isComplete)
          .flatMap(tree -> Mono.justOrEmpty(document(root, tree)));
    }

    private @Nullable Document document(ZarrGroup root, Tree tree) {
      String text = root.metadata().consolidatedDocument(tree.nodes).toPrettyString();
      Bytes bytes = Bytes.utf8(text);
      return bytes.size() > limits.documentBytes() ? null : new Document(bytes, tag(bytes));
    }

    /** The nodes below the root, as far as the limits allow. */
    private final class Tree {
      private final Map<String, NodeMetadata> nodes = new LinkedHashMap<>();
      private long characters;
      private boolean isComplete = true;

      Tree with(ZarrNode node) {
        NodeMetadata metadata = node.metadata();
        boolean isUnknown = metadata instanceof UnreadableMetadata broken && !broken.isArray();
        if (isComplete) {
          characters += metadata.document().toString().length();
          isComplete =
              !isUnknown
                  && metadata.zarrFormat() == format
                  && metadata.draft() == null
                  && nodes.size() < limits.nodes()
                  && characters <= limits.documentBytes();
        }
        if (isComplete) {
          nodes.put(group.relativize(node.path()), metadata);
        } else {
          nodes.clear();
        }
        return this;
      }
    }
  }

  private static String tag(Bytes bytes) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(bytes.asByteBuffer());
      return "\"s-" + HexFormat.of().formatHex(digest.digest(), 0, 16) + "\"";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JVM has it
    }
  }
}
