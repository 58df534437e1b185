package dev.zarrreactive.cli;

import dev.zarrreactive.testing.ReachabilityContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;

/** A native image finds the commands, whose options picocli sets by reflection. */
class ReachabilityTest extends ReachabilityContract {
  private static final Path CLASSES = Path.of("target/classes");

  @Override
  protected Set<Class<?>> reflected() {
    Set<Class<?>> reflected = new LinkedHashSet<>();
    try (Stream<Path> files = Files.walk(CLASSES.resolve("dev/zarrreactive/cli"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        String name = CLASSES.relativize(file).toString().replace('\\', '.').replace('/', '.');
        if (!name.endsWith("package-info.class")) {
          Class<?> type =
              Class.forName(
                  name.substring(0, name.length() - ".class".length()),
                  false,
                  getClass().getClassLoader());
          if (isOfPicocli(type)) {
            reflected.add(type);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
    return reflected;
  }

  private static boolean isOfPicocli(Class<?> type) {
    return isMarked(type)
        || Stream.of(type.getDeclaredFields()).anyMatch(ReachabilityTest::isMarked)
        || Stream.of(type.getDeclaredMethods()).anyMatch(ReachabilityTest::isMarked)
        || CommandLine.ITypeConverter.class.isAssignableFrom(type)
        || CommandLine.IVersionProvider.class.isAssignableFrom(type);
  }

  private static boolean isMarked(AnnotatedElement element) {
    return Stream.of(element.getDeclaredAnnotations())
        .map(Annotation::annotationType)
        .anyMatch(type -> type.getName().startsWith("picocli."));
  }
}
