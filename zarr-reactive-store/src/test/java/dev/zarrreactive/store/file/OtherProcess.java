package dev.zarrreactive.store.file;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.internal.partial.NameLock;
import dev.zarrreactive.internal.partial.PartialFile;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** Another JVM that uses the files of a test. */
final class OtherProcess implements AutoCloseable {
  static final StoreKey KEY = StoreKey.of("c/0");
  static final String READY = "ready";

  private final Process process;
  private final BufferedReader lines;

  private OtherProcess(Process process) {
    this.process = process;
    this.lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * A process that changes one byte of the value a number of times, and counts the writes it lost.
   */
  static OtherProcess counting(Path directory, int index, int times) throws IOException {
    return start("count", directory.toString(), "" + index, "" + times);
  }

  /** A process that has written half of a value, and holds the lock of its name for ever. */
  static OtherProcess holding(Path directory) throws IOException {
    return start("hold", directory.toString());
  }

  /** A process with a small heap that reads the values at {@code c/1} and {@code c/0}. */
  static OtherProcess reading(Path directory) throws IOException {
    return start("read", directory.toString());
  }

  private static OtherProcess start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(OtherProcess.class.getName());
    command.addAll(List.of(arguments));
    return new OtherProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** The next line that the process prints; null after the last one. */
  String line() throws IOException {
    return lines.readLine();
  }

  /** Lets the process begin. */
  void go() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
  }

  /** Kills the process, as a crash would. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }

  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[1]);
    if (arguments[0].equals("count")) {
      System.out.println(READY);
      System.in.read();
      System.out.println(
          count(
              FileSystemStore.open(directory),
              Integer.parseInt(arguments[2]),
              Integer.parseInt(arguments[3])));
    } else if (arguments[0].equals("hold")) {
      hold(directory.resolve(KEY.value()));
    } else {
      read(FileSystemStore.open(directory));
    }
  }

  /** Prints how many bytes each value has, or the error. */
  private static void read(Store store) {
    for (String key : List.of("c/1", "c/0")) {
      System.out.println(
          store
              .get(StoreKey.of(key))
              .map(value -> value.size() + " bytes")
              .onErrorResume(error -> Mono.just(error.toString()))
              .block());
    }
  }

  private static int count(Store store, int index, int times) {
    int lost = 0;
    byte expected = 0;
    for (int i = 0; i < times; i++) {
      byte found = Objects.requireNonNull(increment(store, index).block());
      lost += found == expected ? 0 : 1;
      expected = (byte) (found + 1);
    }
    return lost;
  }

  /** Adds one to the byte, and emits what it was. */
  private static Mono<Byte> increment(Store store, int index) {
    return Mono.defer(() -> store.getVersioned(KEY, null, ReadCondition.ALWAYS))
        .flatMap(
            read -> {
              byte[] bytes = Objects.requireNonNull(read.bytes()).toByteArray();
              byte found = bytes[index]++;
              Precondition same = Precondition.matches(Objects.requireNonNull(read.version()));
              return store.set(KEY, Bytes.wrap(bytes), same).thenReturn(found);
            })
        .retryWhen(Retry.max(Long.MAX_VALUE).filter(PreconditionFailedException.class::isInstance));
  }

  private static void hold(Path file) throws IOException {
    PartialFile half = PartialFile.create(Objects.requireNonNull(file.getParent()));
    half.channel().write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    half.settle(() -> FileVersions.stamp(half.path()));
    NameLock.whileHeld(
        file,
        half,
        held -> {
          System.out.println(READY);
          System.in.read();
        });
  }
}
