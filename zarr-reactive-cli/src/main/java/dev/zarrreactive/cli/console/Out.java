package dev.zarrreactive.cli.console;

import dev.zarrreactive.store.Bytes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;

/**
 * A stream that text and bytes are written to. Unlike {@link java.io.PrintStream} it tells of a
 * failure, as an {@link OutputException}. Not thread-safe.
 */
public final class Out {
  private final OutputStream stream;
  private final Charset charset;

  /** Text goes to {@code stream} in {@code charset}; buffering is the stream's. */
  public Out(OutputStream stream, Charset charset) {
    this.stream = stream;
    this.charset = charset;
  }

  /** Writes text as it is. */
  public void print(String text) {
    byte[] encoded = text.getBytes(charset);
    write(encoded, 0, encoded.length);
  }

  /** Writes text and ends the line. */
  public void println(String text) {
    print(text + "\n");
  }

  /** Writes bytes as they are. */
  public void write(Bytes bytes) {
    write(bytes.unsafeArray(), bytes.unsafeOffset(), bytes.size());
  }

  private void write(byte[] bytes, int offset, int size) {
    try {
      stream.write(bytes, offset, size);
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  /** Hands on everything that was written. */
  public void flush() {
    try {
      stream.flush();
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  /** The stream itself. */
  public OutputStream stream() {
    return stream;
  }
}
