package dev.zarrreactive.cli.output;

import dev.zarrreactive.cli.console.Out;
import dev.zarrreactive.cli.console.OutputException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * A file that gets its name when it is complete. After a failure or a cancel no new file remains,
 * and an existing one is unchanged.
 */
public final class OutputFile {
  private static final int BUFFER_SIZE = 1 << 16;

  private final Path target;
  private final Path partial;
  private @Nullable OutputStream stream;
  private boolean ended;

  /** Creates a file. A device or a pipe is written directly: it cannot be replaced. */
  private OutputFile(Path target) {
    boolean isReplaced = !Files.exists(target) || Files.isRegularFile(target);
    this.target = target;
    this.partial =
        isReplaced ? target.resolveSibling("." + target.getFileName() + ".partial") : target;
  }

  /** Returns true for the word for standard output. */
  public static boolean isStandardOutput(@Nullable Path name) {
    return name != null && name.toString().equals("-");
  }

  /** Returns the advice after an interrupt of a command that writes to this file, if to one. */
  public static String adviceAfterInterrupt(@Nullable Path name) {
    return name == null || isStandardOutput(name)
        ? "nothing was changed"
        : name + " was not written";
  }

  /** Writes the file at {@code target} with {@code writing}, on {@code writer}. */
  public static Mono<Void> write(Path target, Scheduler writer, Function<Out, Mono<Void>> writing) {
    return Mono.defer(
            () -> {
              OutputFile file = new OutputFile(target);
              return Mono.fromCallable(file::open)
                  .flatMap(writing)
                  .then(Mono.<Void>fromRunnable(file::commit).subscribeOn(writer))
                  .doOnTerminate(file::abandon) // before the subscriber learns of the end
                  .doFinally(signal -> file.abandon());
            })
        .subscribeOn(writer);
  }

  private synchronized Out open() throws IOException {
    if (ended) {
      throw new CancellationException("the writing of " + target + " was cancelled");
    }
    try {
      stream = new BufferedOutputStream(Files.newOutputStream(partial), BUFFER_SIZE);
      return new Out(stream, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw new FileSystemException(target.toString(), null, "no such directory");
    } catch (AccessDeniedException e) {
      throw new FileSystemException(target.toString(), null, "permission denied");
    }
  }

  private synchronized void commit() {
    try {
      close();
      if (!partial.equals(target)) {
        Files.move(partial, target, StandardCopyOption.REPLACE_EXISTING);
      }
      ended = true;
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  private void close() throws IOException {
    if (stream != null) {
      stream.close();
    }
  }

  /**
   * Removes an incomplete file. After the end this does nothing; a file that is not open yet stays
   * closed.
   */
  private synchronized void abandon() {
    if (ended) {
      return;
    }
    ended = true;
    try {
      close();
    } catch (IOException e) {
      // the file is removed anyway
    }
    if (stream != null && !partial.equals(target)) {
      try {
        Files.deleteIfExists(partial);
      } catch (IOException e) {
        // the file stays
      }
    }
  }
}
