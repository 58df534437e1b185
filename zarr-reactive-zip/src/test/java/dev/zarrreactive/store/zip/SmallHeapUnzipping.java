package dev.zarrreactive.store.zip;

import dev.zarrreactive.base.StoreKey;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import reactor.core.publisher.Mono;

/** Reads the entries {@code c/1} and {@code c/0} of an archive; run in a JVM with a small heap. */
final class SmallHeapUnzipping {
  private SmallHeapUnzipping() {}

  /** Prints how many bytes each entry has, or the error. */
  public static void main(String[] arguments) {
    ZipStore zip = Objects.requireNonNull(ZipStore.open(Path.of(arguments[0])).block());
    for (String key : List.of("c/1", "c/0")) {
      System.out.println(
          zip.get(StoreKey.of(key))
              .map(value -> value.size() + " bytes")
              .onErrorResume(error -> Mono.just(error.toString()))
              .block());
    }
  }
}
