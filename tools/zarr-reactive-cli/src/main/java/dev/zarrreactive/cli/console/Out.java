package dev.zarrreactive.cli.console;

import dev.zarrreactive.base.Bytes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;

/**
 * A stream of text and bytes. Unlike {@link java.io.PrintStream} it throws on a failure, an {@link
 * OutputException}. Not thread-safe.
 */
public final class Out {
  private final OutputStream stream;
  private final Charset charset;

  /** Creates an output to {@code stream}, with text in {@code charset}. The stream buffers. */
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

  /** Flushes the stream. */
  public void flush() {
    try {
      stream.flush();
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  /** Returns the stream itself. */
  public OutputStream stream() {
    return stream;
  }
}
