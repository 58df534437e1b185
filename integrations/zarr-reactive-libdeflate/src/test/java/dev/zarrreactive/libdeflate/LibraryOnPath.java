package dev.zarrreactive.libdeflate;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** The classes of the tests, loaded again with a part of their class path. */
final class LibraryOnPath implements AutoCloseable {
  private final URLClassLoader loader;

  private LibraryOnPath(Predicate<String> entries) {
    String[] path = System.getProperty("java.class.path").split(File.pathSeparator);
    URL[] urls = Arrays.stream(path).filter(entries).map(LibraryOnPath::url).toArray(URL[]::new);
    this.loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
  }

  private static URL url(String entry) {
    try {
      return Path.of(entry).toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All of the class path. */
  static LibraryOnPath whole() {
    return new LibraryOnPath(entry -> true);
  }

  /** The class path without the main classes of this module. */
  static LibraryOnPath withoutModule() {
    String classes = Path.of("target", "classes").toAbsolutePath().toString();
    return new LibraryOnPath(entry -> !entry.equals(classes));
  }

  /** The class path without JNA. */
  static LibraryOnPath withoutJna() {
    return new LibraryOnPath(entry -> !Path.of(entry).getFileName().toString().startsWith("jna-"));
  }

  @SuppressWarnings("unchecked")
  BiFunction<String, byte[], String> decoding() throws ReflectiveOperationException {
    return (BiFunction<String, byte[], String>)
        loader.loadClass(Decoding.class.getName()).getDeclaredConstructor().newInstance();
  }

  /** Returns true if a class can be loaded. */
  boolean has(String name) {
    try {
      loader.loadClass(name);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
