package dev.zarrreactive.spark.write;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.StoreProvider;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * Opens {@code faulty:///path}: files, with faults that the directory {@code path.faults} names,
 * each of which happens once in all processes. A file there has the name of a {@link Fault}, and
 * the key of a value in it, or the beginning of keys with a star.
 */
public final class FaultyStores implements StoreProvider {
  private static final String HAPPENED = ".happened";
  private static final String COMES = ".comes";
  private static final String STORED = ".stored";

  /** An attempt that waits for another one gives up after five minutes. */
  private static final int MOST_LOOKS = 6000;

  /** A fault of the request that stores a value. */
  enum Fault {
    /** The value is stored, and the request fails. */
    FAIL,
    /** The same once more. */
    SECOND,
    /** The value is stored, and the process ends at once. */
    HALT,
    /** The value is stored after another attempt has stored it. */
    LAST,
    /** The value is stored, and the request ends after another attempt has stored it. */
    FIRST,
    /** The value is stored when another attempt stores it, too. */
    TOGETHER,
    /** The request fails when the value of {@link #LATE} is about to be stored. */
    BESIDE,
    /** The value is stored when somebody calls {@link #release}. */
    SLOW,
    /** The value is stored a second after the request of {@link #BESIDE} has failed. */
    LATE
  }

  /** Plans a fault of the first request that stores a value at a key. */
  static void plan(Path store, Fault fault, String key) throws IOException {
    Files.createDirectories(faults(store));
    Files.writeString(faults(store).resolve(fault.name()), key);
  }

  /** Returns true if a planned fault has happened. */
  static boolean hasHappened(Path store, Fault fault) {
    return Files.exists(faults(store).resolve(fault.name() + HAPPENED));
  }

  /**
   * Returns true if another attempt came to store the value of a planned fault, too, or if the
   * request of {@link Fault#LATE} has ended.
   */
  static boolean wasStoredAgain(Path store, Fault fault) {
    return Files.exists(faults(store).resolve(fault.name() + STORED));
  }

  /** Lets a {@link Fault#SLOW} request go on. */
  static void release(Path store) throws IOException {
    Files.writeString(faults(store).resolve(Fault.SLOW.name() + STORED), "released");
  }

  private static boolean isAt(String planned, StoreKey key) {
    return planned.endsWith("*")
        ? key.value().startsWith(planned.substring(0, planned.length() - 1))
        : planned.equals(key.value());
  }

  static Path faults(Path store) {
    return store.resolveSibling(store.getFileName() + ".faults");
  }

  @Override
  public Set<String> schemes() {
    return Set.of("faulty");
  }

  @Override
  public Mono<Store> open(URI uri, StoreOptions options) {
    return Mono.fromSupplier(() -> new Faulty(Path.of(uri.getPath())));
  }

  private static final class Faulty extends DelegatingStore {
    private final Path path;

    Faulty(Path path) {
      super(FileSystemStore.open(path));
      this.path = path;
    }

    @Override
    public Mono<Void> set(StoreKey key, Bytes value) {
      return withFault(key, () -> delegate().set(key, value));
    }

    @Override
    public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
      return withFault(key, () -> delegate().set(key, value, precondition));
    }

    private Mono<Void> withFault(StoreKey key, Supplier<Mono<Void>> set) {
      return Mono.defer(
          () -> {
            if (happens(Fault.FAIL, key) || happens(Fault.SECOND, key)) {
              return set.get()
                  .then(
                      Mono.error(
                          () ->
                              new TransientStoreException(
                                  "a fault after the value was stored",
                                  Location.ofKey(key.value()))));
            } else if (happens(Fault.HALT, key)) {
              return set.get().doOnSuccess(done -> Runtime.getRuntime().halt(1));
            } else if (happens(Fault.SLOW, key)) {
              return told(Fault.SLOW, STORED).then(set.get());
            } else if (happens(Fault.LAST, key)) {
              return told(Fault.LAST, STORED).then(set.get());
            } else if (happens(Fault.FIRST, key)) {
              return set.get().then(told(Fault.FIRST, STORED));
            } else if (happens(Fault.TOGETHER, key)) {
              return told(Fault.TOGETHER, COMES).then(set.get());
            } else if (happens(Fault.BESIDE, key)) {
              return told(Fault.LATE, HAPPENED)
                  .then(
                      Mono.error(
                          () ->
                              new TransientStoreException(
                                  "a fault beside a late value", Location.ofKey(key.value()))))
                  .doOnTerminate(() -> tell(key, STORED))
                  .then();
            } else if (happens(Fault.LATE, key)) {
              return told(Fault.BESIDE, STORED)
                  .then(Mono.delay(Duration.ofSeconds(1)))
                  .then(set.get())
                  .doOnTerminate(() -> tell(key, STORED));
            }
            tell(key, COMES);
            return set.get().doOnTerminate(() -> tell(key, STORED)); // or refused, as it is there
          });
    }

    /** Waits for the news of another request, without a thread. */
    private Mono<Void> told(Fault fault, String news) {
      Path file = faults(path).resolve(fault.name() + news);
      return Mono.fromCallable(() -> Files.exists(file) ? file : null)
          .repeatWhenEmpty(MOST_LOOKS, looks -> looks.delayElements(Duration.ofMillis(50)))
          .then();
    }

    /** Tells the attempt that has taken a fault of this key. */
    private void tell(StoreKey key, String news) {
      try {
        for (Fault fault : Fault.values()) {
          Path happened = faults(path).resolve(fault.name() + HAPPENED);
          if (Files.exists(happened) && Files.readString(happened).equals(key.value())) {
            Files.writeString(faults(path).resolve(fault.name() + news), key.value());
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Takes a planned fault, which one process does. */
    private boolean happens(Fault fault, StoreKey key) {
      Path planned = faults(path).resolve(fault.name());
      try {
        if (!Files.exists(planned) || !isAt(Files.readString(planned), key)) {
          return false;
        }
        Files.move(planned, planned.resolveSibling(fault.name() + HAPPENED));
        return true;
      } catch (java.nio.file.NoSuchFileException e) {
        return false; // another process was quicker
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
