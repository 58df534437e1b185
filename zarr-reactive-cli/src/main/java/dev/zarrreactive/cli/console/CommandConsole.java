package dev.zarrreactive.cli.console;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Standard output and error of a command. Writing may block, so it is done on {@link #thread()},
 * where there is one thing at a time.
 */
public final class CommandConsole {
  private static final int BUFFER_SIZE = 1 << 16;

  private final Out out;
  private final Out err;
  private final Terminal terminal;
  private final Scheduler thread =
      Schedulers.newBoundedElastic(1, Integer.MAX_VALUE, "zarr-console", 60, true);

  /** Output to these streams. */
  public CommandConsole(OutputStream out, OutputStream err, Terminal terminal) {
    this.out = new Out(out, terminal.charset());
    this.err = new Out(err, terminal.charset());
    this.terminal = terminal;
  }

  /** The process's own. Standard error is not buffered. */
  public static CommandConsole ofSystem() {
    return new CommandConsole(
        new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), BUFFER_SIZE),
        new FileOutputStream(FileDescriptor.err),
        Terminal.detect(System.getProperties(), System.getenv()));
  }

  /** Standard output. */
  public Out out() {
    return out;
  }

  /** Standard error. */
  public Out err() {
    return err;
  }

  /** The terminal behind them. */
  public Terminal terminal() {
    return terminal;
  }

  /** Where to write: one thread, which may block. */
  public Scheduler thread() {
    return thread;
  }
}
