package dev.zarrreactive.internal.partial;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/** The names of hidden files. Every one begins alike, so that a listing leaves all of them out. */
public final class PartialNames {
  /** The beginning of every hidden file of this library. */
  public static final String START = ".zarr-partial-";

  private static final String LOCK = START + "lock-";
  private static final int MACHINE_DIGITS = 8;
  private static final String UNKNOWN_MACHINE = "0".repeat(MACHINE_DIGITS);

  private PartialNames() {}

  /** True for every hidden file: one that is being written, or a lock. */
  public static boolean isHidden(String name) {
    return name.startsWith(START);
  }

  /** True for the names that {@link #lock} makes. */
  public static boolean isLock(String name) {
    return name.startsWith(LOCK);
  }

  /** The lock of the files whose names have this hash. */
  static String lock(int hash) {
    return LOCK + HexFormat.of().toHexDigits(hash);
  }

  /** The hash that {@link #lock} made the name from; 0 for a name that it did not make. */
  static int hash(String lock) {
    try {
      return Integer.parseUnsignedInt(lock.substring(LOCK.length()), 16);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** A new name for a file that is being written; it tells the machine of its writer. */
  public static String next() {
    long random = ThreadLocalRandom.current().nextLong();
    return START + Machine.ID + "-" + HexFormat.of().toHexDigits(random);
  }

  /**
   * True where the writer of the file runs on this machine, since the machine was started: only
   * then a lock of the operating system tells for sure that the writer is alive. Some network file
   * systems keep such locks to each machine.
   */
  static boolean isOfThisMachine(String name) {
    return !Machine.ID.equals(UNKNOWN_MACHINE) && name.startsWith(START + Machine.ID + "-");
  }

  /** Containers of one kernel have one identity: they share the locks of the kernel. */
  private static final class Machine {
    static final String ID = id();

    private static String id() {
      try {
        String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        return HexFormat.of().toHexDigits(boot.hashCode());
      } catch (IOException | RuntimeException e) {
        return UNKNOWN_MACHINE; // not Linux: the age of a file decides
      }
    }
  }
}
