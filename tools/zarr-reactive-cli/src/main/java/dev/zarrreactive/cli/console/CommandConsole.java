package dev.zarrreactive.cli.console;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Standard input, output and error of a command. Reading and writing may block, so that they run on
 * {@link #thread()}, one task at a time.
 */
public final class CommandConsole {
  private static final int BUFFER_SIZE = 1 << 16;

  private final InputStream in;
  private final Out out;
  private final Out err;
  private final Terminal terminal;
  private final Scheduler thread;
  private final boolean quiet;

  /** Creates a console over these streams, without standard input. */
  public CommandConsole(OutputStream out, OutputStream err, Terminal terminal) {
    this(InputStream.nullInputStream(), out, err, terminal);
  }

  /** Creates a console over these streams. */
  public CommandConsole(InputStream in, OutputStream out, OutputStream err, Terminal terminal) {
    this.in = in;
    this.out = new Out(out, terminal.charset());
    this.err = new Out(err, terminal.charset());
    this.terminal = terminal;
    this.thread = Schedulers.newBoundedElastic(1, Integer.MAX_VALUE, "zarr-console", 60, true);
    this.quiet = false;
  }

  private CommandConsole(CommandConsole console) {
    this.in = console.in;
    this.out = console.out;
    this.err = console.err;
    this.terminal = console.terminal;
    this.thread = console.thread;
    this.quiet = true;
  }

  /** Returns this console without notes and progress. */
  public CommandConsole quietly() {
    return new CommandConsole(this);
  }

  /** Returns true where only results, warnings and errors are printed. */
  public boolean isQuiet() {
    return quiet;
  }

  /** Prints a sentence on what was done, on standard output, unless the user wants none. */
  public void note(String sentence) {
    if (!quiet) {
      out.println(sentence);
    }
  }

  /** Prints a sentence beside a result, on standard error, unless the user wants none. */
  public void remark(String sentence) {
    if (!quiet) {
      err.println(sentence);
    }
  }

  /** Returns the console of the process. Standard error is not buffered. */
  public static CommandConsole ofSystem() {
    return new CommandConsole(
        System.in,
        new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), BUFFER_SIZE),
        new FileOutputStream(FileDescriptor.err),
        Terminal.detect(System.getProperties(), System.getenv()));
  }

  /** Returns standard input. Reading may block, so that it runs on {@link #thread()}. */
  public InputStream in() {
    return in;
  }

  /** Returns standard output. */
  public Out out() {
    return out;
  }

  /** Returns standard error. */
  public Out err() {
    return err;
  }

  /** Returns the terminal behind the streams. */
  public Terminal terminal() {
    return terminal;
  }

  /** Returns the thread for writing, which may block. */
  public Scheduler thread() {
    return thread;
  }
}
