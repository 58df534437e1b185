package dev.zarrreactive.cli.console;

import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.files.UnreadableFileException;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import reactor.core.Exceptions;

/** A failure of a command, with a message of one line for the user. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The bytes of heap for each byte for which there was no room. */
  private static final int COPIES = 6;

  private static final long MOST_WANTED = 1L << 40;
  private static final long STEP = 64 << 20;

  /** A qualified name before a message, as {@link Throwable#toString} puts it. */
  private static final Pattern EXCEPTION_NAME =
      Pattern.compile("\\b(?:[a-z][a-z0-9]*\\.)+[A-Z][A-Za-z0-9$]*(?:Exception|Error): ");

  /** What an error says of a codec that the command leaves out. */
  private static final Pattern MISSING_ARTIFACT =
      Pattern.compile("needs the artifact dev\\.zarrreactive:([a-z0-9-]+)");

  private final boolean namesSubject;

  public CommandFailure(String message) {
    super(message);
    this.namesSubject = false;
  }

  public CommandFailure(String message, Throwable cause) {
    this(message, cause, false);
  }

  private CommandFailure(String message, Throwable cause, boolean namesSubject) {
    super(message, cause);
    this.namesSubject = namesSubject;
  }

  /** Returns the failure of a subject, which the message names. */
  public static CommandFailure of(String subject, RuntimeException error) {
    return new CommandFailure(subject + ": " + oneLine(statement(error)), error, true);
  }

  /** Returns the failure for {@code error} with the words that help. It keeps its subject. */
  public static CommandFailure advised(Throwable error, String advice) {
    boolean namesSubject = error instanceof CommandFailure failure && failure.namesSubject;
    return new CommandFailure(statement(error) + advice, error, namesSubject);
  }

  /**
   * Returns the failure for {@code error}, or an error that is reported in another way. A failure
   * that names its subject already keeps it, so the place nearest to the fault names it.
   */
  public static Throwable about(String subject, Throwable error) {
    Throwable cause = Exceptions.unwrap(error);
    if (cause instanceof OutputException
        || cause instanceof CommandLine.ParameterException
        || (cause instanceof CommandFailure failure && failure.namesSubject)) {
      return cause;
    }
    boolean isAboutOutput = cause instanceof FileSystemException;
    String prefix = subject.isEmpty() || isAboutOutput ? "" : subject + ": ";
    return new CommandFailure(prefix + oneLine(statement(cause)), cause, true);
  }

  private static String statement(Throwable error) {
    String message = String.valueOf(error.getMessage());
    if (error instanceof ZarrException && isOfMemory(error)) {
      return message + moreMemory(error);
    }
    if (error instanceof ZarrException) {
      Matcher missing = MISSING_ARTIFACT.matcher(message);
      return missing.find()
          ? message
              + "; the command has it where its jar is given, too: java -cp zarr.jar"
              + File.pathSeparator
              + missing.group(1)
              + ".jar dev.zarrreactive.cli.ZarrCommand"
          : message;
    }
    if (error instanceof CommandFailure
        || error instanceof UnreadableFileException
        || error instanceof IllegalArgumentException) {
      return message;
    }
    if (error instanceof OutOfMemoryError memory) {
      return noMemory(memory);
    }
    if (error instanceof FileSystemException file) {
      return "cannot write " + file.getFile() + ": " + reason(file);
    }
    return error instanceof IOException ? message : "internal error: " + error;
  }

  private static String reason(FileSystemException error) {
    String reason = error.getReason();
    return reason != null ? reason : error.getClass().getSimpleName();
  }

  /** Returns the message for exhausted memory when the requested size is unknown. */
  public static String noMemory(OutOfMemoryError error) {
    return "not enough memory: "
        + error.getMessage()
        + "; the heap has at most "
        + Quantities.bytes(Runtime.getRuntime().maxMemory())
        + moreMemory(error);
  }

  /**
   * Returns a heap that has room. A chunk is in memory up to four times, decoded, encoded, among
   * what was selected and in pieces; and a collector cannot use all of a heap for large arrays.
   */
  private static String moreMemory(Throwable error) {
    long heap = Runtime.getRuntime().maxMemory();
    long wanted = 0;
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof MemoryExhaustedException exhausted) {
        wanted = Math.max(wanted, exhausted.wantedBytes());
      }
    }
    long more = Math.max(2 * heap, heap + COPIES * Math.min(wanted, MOST_WANTED));
    String option = "-Xmx" + (more + STEP - 1) / STEP * (STEP >> 20) + "m";
    return "; a larger heap: ZARR_JAVA_OPTS=" + option + " zarr ..., or java " + option + " -jar";
  }

  /** Returns whether the cause, or its cause, is exhausted memory. */
  public static boolean isOfMemory(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutOfMemoryError || cause instanceof MemoryExhaustedException) {
        return true;
      }
    }
    return false;
  }

  /** Returns the text on one line, without control characters and names of Java's exceptions. */
  public static String oneLine(String text) {
    String line = text.replaceAll("\\s*\\R\\s*", " ");
    return Printable.of(EXCEPTION_NAME.matcher(line).replaceAll(""));
  }
}
