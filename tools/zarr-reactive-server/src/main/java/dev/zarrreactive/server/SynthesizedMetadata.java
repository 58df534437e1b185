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
 * The consolidated metadata of the root group, made of its tree where the store has none. A
 * document is made once for all of its readers, and again when it is some seconds old. The stored
 * bytes are served in place of one that would be too large, and of one that cannot be made.
 */
final class SynthesizedMetadata {
  private static final Duration AGE = Duration.ofSeconds(5);

  private final Store store;
  private final ServerLimits limits;
  private final Map<StoreKey, Source> sources;

  SynthesizedMetadata(Store store, ServerLimits limits) {
    this.store = store;
    this.limits = limits;
    this.sources =
        Map.of(
            NodePath.ROOT.documentKey(), new Source(3),
            NodePath.ROOT.key(NodePath.V2_CONSOLIDATED), new Source(2));
  }

  /** A document and its ETag. */
  record Document(Bytes bytes, String tag) {}

  /** Emits the document in place of the stored one; empty where the stored one is to be served. */
  Mono<Document> at(StoreKey key) {
    Source source = sources.get(key);
    return source == null || !store.capabilities().contains(StoreCapability.LIST)
        ? Mono.empty()
        : Mono.defer(source::document);
  }

  /** Makes the document of one format. */
  private final class Source {
    private final int format;
    private final ZarrHierarchy hierarchy;
    private final AtomicReference<@Nullable Flight> last = new AtomicReference<>();

    Source(int format) {
      this.format = format;
      this.hierarchy = // made here, since the codecs are looked for in files
          Zarr.hierarchy(
              store,
              ZarrOptions.defaults()
                  .withConsolidatedMetadata(false)
                  .withZarrFormat(format)
                  .withMetadataLimits(MetadataLimits.defaults().withBytes(limits.documentBytes())));
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
      return hierarchy
          .openGroup("/")
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
          nodes.put(NodePath.ROOT.relativize(node.path()), metadata);
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
