package dev.zarrreactive.icechunk;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.icechunk.WrittenRepository.Ref;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A repository of version 2 whose commits are copies of hierarchies of Zarr v3 in other stores, for
 * tests of what stands above. Every third small chunk is inline, others are parts of objects; an
 * array of several chunks has two manifests. Used by one thread.
 */
public final class WrittenCommits {
  private static final String DOCUMENT = "zarr.json";
  private static final int MOST_INLINE = 64;

  private final Store repository;
  private int snapshots;
  private int chunks;

  /** A repository that is written into a store, from its first commit on. */
  public WrittenCommits(Store repository) {
    this.repository = repository;
  }

  /** Commits all that is in a store to the branch main, and returns the id of the snapshot. */
  public String commit(Store hierarchy) {
    Map<String, Bytes> values = new TreeMap<>();
    for (StoreKey key : keys(hierarchy)) {
      values.put(key.value(), value(hierarchy, key));
    }
    WrittenRepository written = new WrittenRepository(++snapshots);
    for (String group : groups(values)) {
      Bytes document = values.get(group + DOCUMENT);
      written.group(
          path(group),
          document == null
              ? "{\"zarr_format\":3,\"node_type\":\"group\"}".getBytes(StandardCharsets.UTF_8)
              : document.toByteArray());
    }
    values.forEach(
        (key, document) -> {
          if (isArray(key, document)) {
            array(written, key.substring(0, key.length() - DOCUMENT.length()), values);
          }
        });
    publish(written.store());
    return WrittenRepository.id(snapshots);
  }

  /** Copies the files; {@code repo} is the last, for it publishes the others. */
  private void publish(Store files) {
    for (StoreKey key : keys(files)) {
      if (!key.value().equals("repo")) {
        copy(files, key);
      }
    }
    copy(files, StoreKey.of("repo"));
  }

  private void copy(Store files, StoreKey key) {
    repository.set(key, value(files, key)).block();
  }

  private static List<StoreKey> keys(Store store) {
    return Objects.requireNonNull(store.list().collectList().block());
  }

  private static Bytes value(Store store, StoreKey key) {
    return Objects.requireNonNull(store.get(key).block());
  }

  private static boolean isArray(String key, Bytes document) {
    return (key.equals(DOCUMENT) || key.endsWith("/" + DOCUMENT))
        && new String(document.toByteArray(), StandardCharsets.UTF_8).contains("\"data_type\"");
  }

  /** The prefixes of groups, with those that only their members tell of. */
  private static TreeSet<String> groups(Map<String, Bytes> values) {
    TreeSet<String> groups = new TreeSet<>();
    values.forEach(
        (key, document) -> {
          if (key.equals(DOCUMENT) || key.endsWith("/" + DOCUMENT)) {
            String prefix = key.substring(0, key.length() - DOCUMENT.length());
            if (!isArray(key, document)) {
              groups.add(prefix);
            }
            while (!prefix.isEmpty()) {
              prefix = prefix.substring(0, prefix.lastIndexOf('/', prefix.length() - 2) + 1);
              groups.add(prefix);
            }
          }
        });
    return groups;
  }

  private static String path(String prefix) {
    return prefix.isEmpty() ? "/" : "/" + prefix.substring(0, prefix.length() - 1);
  }

  private void array(WrittenRepository written, String prefix, Map<String, Bytes> values) {
    Bytes document = Objects.requireNonNull(values.get(prefix + DOCUMENT));
    NodePath path = NodePath.of(path(prefix));
    ArrayMetadata metadata = (ArrayMetadata) NodeMetadata.parse(document, path);
    long[] grid =
        Zarr.hierarchy(repository).array(path.value(), metadata).chunkGrid().gridShape().toArray();
    List<Ref> refs = new ArrayList<>();
    values.forEach(
        (key, value) -> {
          if (key.equals(prefix + "c") || key.startsWith(prefix + "c/")) {
            String index = key.substring(prefix.length() + 1);
            refs.add(
                reference(
                    written,
                    value,
                    Arrays.stream(index.split("/", -1))
                        .filter(part -> !part.isEmpty())
                        .mapToInt(Integer::parseInt)
                        .toArray()));
          }
        });
    refs.sort((one, other) -> Arrays.compare(one.index(), other.index()));
    int middle = refs.size() > 3 ? refs.size() / 2 : refs.size();
    List<List<Ref>> manifests = new ArrayList<>();
    manifests.add(refs.subList(0, middle));
    manifests.add(refs.subList(middle, refs.size()));
    manifests.removeIf(List::isEmpty);
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    List<Ref>[] all = manifests.toArray(new List[0]);
    written.array(
        path(prefix),
        new String(document.toByteArray(), StandardCharsets.UTF_8),
        Arrays.stream(grid).mapToInt(Math::toIntExact).toArray(),
        all);
  }

  private Ref reference(WrittenRepository written, Bytes value, int[] index) {
    int number = ++chunks;
    byte[] bytes = value.toByteArray();
    if (number % 3 == 0 && bytes.length <= MOST_INLINE) {
      return Ref.inline(bytes, index);
    }
    int gap = number % 3;
    byte[] object = new byte[gap + bytes.length];
    System.arraycopy(bytes, 0, object, gap, bytes.length);
    written.object(number, object);
    return Ref.chunk(number, gap, bytes.length, index);
  }
}
