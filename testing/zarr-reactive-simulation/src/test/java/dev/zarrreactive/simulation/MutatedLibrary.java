package dev.zarrreactive.simulation;

import dev.zarrreactive.simulation.Mutation.Edit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Loads the library, and the simulator with it, once more, with some classes compiled from changed
 * sources. Classes of other libraries are shared.
 */
final class MutatedLibrary extends ClassLoader {
  private static final String OURS = "dev.zarrreactive.";

  /** The modules whose sources a mutation may change. */
  private static final List<String> MODULES =
      List.of("base", "store", "remote", "format", "codecs", "core", "icechunk");

  private final Map<String, byte[]> changed;

  private MutatedLibrary(Map<String, byte[]> changed) {
    super(MutatedLibrary.class.getClassLoader());
    this.changed = changed;
  }

  static MutatedLibrary with(Mutation mutation) {
    Map<String, String> sources = new HashMap<>();
    for (Edit edit : mutation.edits()) {
      String source = sources.computeIfAbsent(edit.className(), name -> read(sourceOf(name)));
      sources.put(edit.className(), edit.in(source));
    }
    return new MutatedLibrary(compiled(sources));
  }

  /** Runs seeds in the changed library, as {@link SeedSearch#firstFailure}. */
  @Nullable String firstFailure(long first, long bound) throws ReflectiveOperationException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(this); // by which codecs are found
    try {
      return (String)
          loadClass(SeedSearch.class.getName())
              .getMethod("firstFailure", long.class, long.class)
              .invoke(null, first, bound);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? defined(name) : loaded;
    }
  }

  private Class<?> defined(String name) throws ClassNotFoundException {
    byte[] code = changed.get(name);
    if (code == null) {
      try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        code = in.readAllBytes();
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
    return defineClass(name, code, 0, code.length);
  }

  private static String path(String className) {
    return className.replace('.', '/') + ".java";
  }

  private static Path sourceOf(String className) {
    return MODULES.stream()
        .map(
            module ->
                Path.of("../..", "zarr-reactive-" + module, "src/main/java/dev/zarrreactive")
                    .resolve(path(className)))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no source of " + className));
  }

  private static String read(Path source) {
    try {
      return Files.readString(source);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, byte[]> compiled(Map<String, String> sources) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    List<JavaFileObject> units = new ArrayList<>();
    sources.forEach((name, source) -> units.add(new Source(name, source)));
    List<String> options =
        List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path"));
    try (Memory memory = new Memory(compiler.getStandardFileManager(null, null, null))) {
      if (!compiler.getTask(messages, memory, null, options, null, units).call()) {
        throw new AssertionError("a mutation does not compile:\n" + messages);
      }
      return memory.classes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String className, String text) {
      super(URI.create("memory:///dev/zarrreactive/" + path(className)), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** Keeps compiled classes. */
  private static final class Memory extends ForwardingJavaFileManager<StandardJavaFileManager> {
    private final Map<String, ByteArrayOutputStream> written = new HashMap<>();

    Memory(StandardJavaFileManager files) {
      super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("memory:///" + className), kind) {
        @Override
        public OutputStream openOutputStream() {
          ByteArrayOutputStream code = new ByteArrayOutputStream();
          written.put(className, code);
          return code;
        }
      };
    }

    Map<String, byte[]> classes() {
      Map<String, byte[]> classes = new HashMap<>();
      written.forEach((name, code) -> classes.put(name, code.toByteArray()));
      return classes;
    }
  }
}
