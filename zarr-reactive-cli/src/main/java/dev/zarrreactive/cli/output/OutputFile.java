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
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * A file to be written. It takes its name when everything is in it: what fails or is cancelled
 * leaves no file behind, and leaves one that was there as it was.
 */
public final class OutputFile {
  private static final int BUFFER_SIZE = 1 << 16;

  private final Path target;
  private final Path partial;
  private final OutputStream stream;
  private boolean ended;

  private OutputFile(Path target, Path partial) throws IOException {
    this.target = target;
    this.partial = partial;
    this.stream = new BufferedOutputStream(Files.newOutputStream(partial), BUFFER_SIZE);
  }

  /** Writes the file at {@code target}: what {@code writing} says, on {@code writer}. */
  public static Mono<Void> write(Path target, Scheduler writer, Function<Out, Mono<Void>> writing) {
    return Mono.fromCallable(() -> open(target))
        .subscribeOn(writer)
        .flatMap(
            file ->
                writing
                    .apply(new Out(file.stream, StandardCharsets.UTF_8))
                    .then(Mono.<Void>fromRunnable(file::commit).subscribeOn(writer))
                    .doFinally(signal -> file.abandon()));
  }

  /** A device or a pipe is written as it is; it cannot take another file's place. */
  private static OutputFile open(Path target) throws IOException {
    if (Files.exists(target) && !Files.isRegularFile(target)) {
      return new OutputFile(target, target);
    }
    Path partial = target.resolveSibling("." + target.getFileName() + ".partial");
    try {
      return new OutputFile(target, partial);
    } catch (NoSuchFileException e) {
      throw new FileSystemException(target.toString(), null, "no such directory");
    } catch (AccessDeniedException e) {
      throw new FileSystemException(target.toString(), null, "permission denied");
    }
  }

  private synchronized void commit() {
    try {
      stream.close();
      if (!partial.equals(target)) {
        Files.move(partial, target, StandardCopyOption.REPLACE_EXISTING);
      }
      ended = true;
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  /** After the end this does nothing. */
  private synchronized void abandon() {
    if (ended) {
      return;
    }
    ended = true;
    try {
      stream.close();
    } catch (IOException e) {
      // what could not be written is thrown away anyway
    }
    if (!partial.equals(target)) {
      try {
        Files.deleteIfExists(partial);
      } catch (IOException e) {
        // there is nothing more to be done about it
      }
    }
  }
}
