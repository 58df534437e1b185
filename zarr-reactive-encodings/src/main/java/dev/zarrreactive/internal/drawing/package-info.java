/** Pictures that are drawn: lines, areas and letters, without the desktop classes of Java. */
@NullMarked
package dev.zarrreactive.internal.drawing;

import org.jspecify.annotations.NullMarked;
