/** Reading over HTTP. */
@NullMarked
package dev.zarrreactive.http;

import org.jspecify.annotations.NullMarked;
