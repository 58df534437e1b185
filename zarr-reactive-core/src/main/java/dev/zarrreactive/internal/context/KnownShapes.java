package dev.zarrreactive.internal.context;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.metadata.NodePath;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The shapes that this process has given to the arrays of a store. A handle that was opened before
 * knows an older shape. A shape is kept while a handle of its array is in use, and until the array
 * is erased. Thread-safe.
 */
final class KnownShapes {
  /** The arrays that are kept without a handle: one may be on its way with an older shape. */
  private static final int RECENT = 256;

  private final NavigableMap<String, Entry> entries = new ConcurrentSkipListMap<>();
  private final ReferenceQueue<KnownArray> unused = new ReferenceQueue<>();
  private final Queue<KnownArray> recent = new ArrayDeque<>();

  /** An array of which handles are in use; each of them holds it. */
  static final class KnownArray {
    private final KnownShapes shapes;
    private final String path;

    private KnownArray(KnownShapes shapes, String path) {
      this.shapes = shapes;
      this.path = path;
    }

    /** Returns the shape that this process has last given to the array, or null. */
    @Nullable Shape lastShape() {
      Entry entry = shapes.entries.get(path);
      return entry == null ? null : entry.shape;
    }
  }

  private static final class Entry extends WeakReference<KnownArray> {
    private final String path;
    private volatile @Nullable Shape shape;

    Entry(KnownArray array, ReferenceQueue<KnownArray> unused, @Nullable Shape shape) {
      super(array, unused);
      this.path = array.path;
      this.shape = shape;
    }
  }

  /** Returns the array at a path, for a handle of it. */
  KnownArray opened(NodePath path) {
    forgetUnused();
    KnownArray mine = new KnownArray(this, path.value());
    while (true) {
      Entry before = entries.get(mine.path);
      KnownArray known = before == null ? null : before.get();
      if (known != null) {
        return known;
      }
      Entry entry = new Entry(mine, unused, before == null ? null : before.shape);
      if (before == null
          ? entries.putIfAbsent(mine.path, entry) == null
          : entries.replace(mine.path, before, entry)) {
        return mine;
      }
    }
  }

  /** Notes the shape of an array. */
  void note(NodePath path, Shape shape) {
    KnownArray array = opened(path);
    Entry entry = entries.get(array.path);
    if (entry != null) {
      entry.shape = shape;
    }
    synchronized (recent) {
      recent.add(array);
      if (recent.size() > RECENT) {
        recent.remove();
      }
    }
  }

  /** Forgets the shapes of a node and of all below it. */
  void forget(NodePath path) {
    String value = path.value();
    if (path.isRoot()) {
      entries.clear();
    } else {
      entries.remove(value);
      entries.subMap(value + '/', value + (char) ('/' + 1)).clear();
    }
  }

  private void forgetUnused() {
    for (Reference<?> gone = unused.poll(); gone != null; gone = unused.poll()) {
      Entry entry = (Entry) gone;
      entries.remove(entry.path, entry);
    }
  }

  /** Returns the number of shapes that are kept. */
  int size() {
    forgetUnused();
    return (int) entries.values().stream().filter(entry -> entry.shape != null).count();
  }
}
