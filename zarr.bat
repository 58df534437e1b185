@echo off
rem The zarr command from a clone: builds it when it is missing, then runs it.
rem After a change of the sources delete tools\zarr-reactive-cli\target\zarr.jar.
setlocal
set "ZARR_ROOT=%~dp0"
set "ZARR_JAR=%ZARR_ROOT%tools\zarr-reactive-cli\target\zarr.jar"
if exist "%ZARR_JAR%" goto run
echo zarr: building (the first time with a download, which takes some minutes)... 1>&2
pushd "%ZARR_ROOT%"
call mvnw.cmd -B -q -ntp -pl :zarr-reactive-cli -am package -Dmaven.test.skip=true 1>&2
if errorlevel 1 (
  popd
  echo zarr: the build failed 1>&2
  exit /b 1
)
popd
:run
set "ZARR_JAVA=java"
if defined JAVA_HOME set "ZARR_JAVA=%JAVA_HOME%\bin\java"
"%ZARR_JAVA%" %ZARR_JAVA_OPTS% -jar "%ZARR_JAR%" %*
exit /b %ERRORLEVEL%
