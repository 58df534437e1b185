package dev.zarrreactive.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** A server that is another program, where this machine has it, at free ports of this machine. */
public final class InstalledServer implements AutoCloseable {
  private final Process process;
  private final List<Integer> ports;
  private final Path output;

  private InstalledServer(Process process, List<Integer> ports, Path output) {
    this.process = process;
    this.ports = ports;
    this.output = output;
  }

  /**
   * Finds a program along the {@code PATH}, and then in other folders.
   *
   * @param name of the program, or its path
   */
  public static Optional<Path> find(String name, String... folders) {
    Stream<String> path =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator));
    return Stream.concat(path.filter(folder -> !folder.isEmpty()), Stream.of(folders))
        .map(folder -> Path.of(folder).resolve(name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Finds a program, and skips the test where there is none. */
  public static Path program(String name, String... folders) {
    Optional<Path> found = find(name, folders);
    assumeTrue(found.isPresent(), "skipped: no " + name);
    return found.get();
  }

  /**
   * Starts a program, and waits until it listens.
   *
   * @param ports the number of its ports
   * @param command of these ports
   */
  public static InstalledServer start(int ports, Function<List<Integer>, List<String>> command) {
    try {
      List<Integer> free = freePorts(ports);
      Path output = Files.createTempFile("server", ".log");
      Process process =
          new ProcessBuilder(command.apply(free))
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      InstalledServer started = new InstalledServer(process, free, output);
      started.awaitStart();
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns different ports: all are taken before the first one is free again. */
  private static List<Integer> freePorts(int number) throws IOException {
    ServerSocket[] taken = new ServerSocket[number];
    for (int i = 0; i < number; i++) {
      taken[i] = new ServerSocket(0);
    }
    List<Integer> ports = Stream.of(taken).map(ServerSocket::getLocalPort).toList();
    for (ServerSocket each : taken) {
      each.close();
    }
    return ports;
  }

  private void awaitStart() throws IOException {
    long deadline = System.nanoTime() + Waiting.PATIENCE.toNanos();
    while (!ports.stream().allMatch(InstalledServer::listens)) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        String said = Files.readString(output);
        close();
        throw new IllegalStateException("the server does not start: " + said);
      }
      Waiting.pause();
    }
  }

  private static boolean listens(int port) {
    try {
      new Socket(InetAddress.getLoopbackAddress(), port).close();
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** The first port. */
  public int port() {
    return ports.get(0);
  }

  /** All ports, in the order in which the command had them. */
  public List<Integer> ports() {
    return ports;
  }

  /** Kills the program, and waits until it is dead. */
  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().onExit().join();
    try {
      Files.deleteIfExists(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
