package dev.zarrreactive.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A client that takes part.
 *
 * @param name as the table has it
 * @param command starts its process; with {@code --check} behind, it prints its version and ends
 */
record Peer(String name, List<String> command) {
  /** This client, which the others are compared with. */
  static final String OURS = "zarr-reactive";

  /** This client beside itself over S3: it reads the same bucket over HTTP. */
  static final String OURS_OVER_HTTP = "zarr-reactive over HTTP";

  /** Reads ranges of files, and knows no arrays. */
  static final String OBSTORE = "obstore";

  static Peer oursOverHttp() {
    List<String> command = new ArrayList<>(ours().command());
    command.add(ReactivePeer.OVER_HTTP);
    return new Peer(OURS_OVER_HTTP, command);
  }

  private static Peer ours() {
    return new Peer(
        OURS,
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            ReactivePeer.class.getName()));
  }

  /** Returns the Python that has the clients. */
  static String python(Path installed) {
    return installed.resolve("venv/bin/python").toString();
  }

  /**
   * Returns all clients, this one first.
   *
   * @param sources the directory of their programs
   * @param installed the directory into which the script {@code install} has put them
   */
  static List<Peer> all(Path sources, Path installed) {
    String python = python(installed);
    return List.of(
        ours(),
        new Peer("tensorstore", List.of(python, sources.resolve("tensorstore_peer.py").toString())),
        new Peer("zarr-python", List.of(python, sources.resolve("zarr_python_peer.py").toString())),
        new Peer(
            "zarr-python with zarrs",
            List.of(python, sources.resolve("zarr_python_peer.py").toString(), "--zarrs")),
        new Peer(
            "zarr-python with obstore",
            List.of(python, sources.resolve("zarr_python_peer.py").toString(), "--obstore")),
        new Peer("gdal", List.of(python, sources.resolve("gdal_peer.py").toString())),
        new Peer(
            "zarrita", List.of("node", installed.resolve("zarrita/zarrita_peer.mjs").toString())),
        new Peer("zarrs", List.of(installed.resolve("cargo/release/zarrs_peer").toString())));
  }

  /**
   * Returns the clients of repositories of Icechunk, this one first.
   *
   * @param sources the directory of their programs
   * @param installed the directory into which the script {@code install} has put them
   */
  static List<Peer> ofRepositories(Path sources, Path installed) {
    String program = sources.resolve("icechunk_peer.py").toString();
    String python = python(installed);
    return List.of(
        ours(),
        new Peer("icechunk", List.of(python, program)),
        new Peer(OBSTORE, List.of(python, program, "--obstore")));
  }

  /** Returns the version; empty where it is not installed. Blocks. */
  String version(File log) {
    List<String> check = new ArrayList<>(command);
    check.add("--check");
    try {
      Process process =
          new ProcessBuilder(check).redirectError(ProcessBuilder.Redirect.appendTo(log)).start();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0 ? said : "";
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  PeerProcess start(File log) {
    return PeerProcess.start(command, log);
  }
}
