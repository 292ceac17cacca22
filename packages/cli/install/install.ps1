# Installs the hedron command line on Windows, in Windows PowerShell 5.1 or a newer PowerShell.
#
#   HEDRON_VERSION      version to install, such as 1.2.3 (default: the newest)
#   HEDRON_INSTALL_DIR  where to put it (default: %LOCALAPPDATA%\Programs\hedron)
#   HEDRON_UPDATE_URL   where the files of the release are (default: the address that this script came with)
#
# What is fetched is checked by the checksums of the release. Neither PowerShell nor Windows can check its signature, which is of
# Ed25519; `hedron update` does.

# A block of its own: nothing runs of a script that came only in part, and what it sets ends with it, also under `irm | iex`.
& {
  Set-StrictMode -Version 3.0
  $ErrorActionPreference = 'Stop'
  # The bar of progress of Windows PowerShell takes longer than the download.
  $ProgressPreference = 'SilentlyContinue'

  if ($env:OS -ne 'Windows_NT') { throw 'unsupported system: this script is for Windows; install.sh is for Linux and macOS' }
  # A 32-bit PowerShell on a 64-bit Windows names the machine in the second one.
  $machine = if ($env:PROCESSOR_ARCHITEW6432) { $env:PROCESSOR_ARCHITEW6432 } else { $env:PROCESSOR_ARCHITECTURE }
  # Windows 11 (build 22000) on ARM64 runs programs for x64, Windows 10 does not.
  $runsPrograms = $machine -eq 'AMD64' -or ($machine -eq 'ARM64' -and [Environment]::OSVersion.Version.Build -ge 22000)
  if (-not $runsPrograms) { throw "unsupported machine: hedron needs a Windows that runs programs for x64, and this is $machine" }

  $address = if ($env:HEDRON_UPDATE_URL) { $env:HEDRON_UPDATE_URL } else { '@RELEASE_ADDRESS@' }
  $address = $address.TrimEnd('/')
  $version = if ($env:HEDRON_VERSION) { $env:HEDRON_VERSION -replace '^v', '' } else { '' }
  if ($version -eq 'latest') { $version = '' }
  if ($version -and $version -notmatch '^[0-9A-Za-z.+-]+$') { throw "HEDRON_VERSION is no version: $version" }
  if ($version) { $address = $address -replace '/latest/download$', "/download/v$version" }
  $directory = if ($env:HEDRON_INSTALL_DIR) {
    # A relative one is below PowerShell's folder, which is not that of its process.
    $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($env:HEDRON_INSTALL_DIR)
  } elseif ($env:LOCALAPPDATA) {
    Join-Path $env:LOCALAPPDATA 'Programs\hedron'
  } else {
    throw 'neither HEDRON_INSTALL_DIR nor LOCALAPPDATA says where to put it'
  }

  # Windows PowerShell on an older .NET offers no TLS that servers still take. 0 leaves the choice to Windows.
  $protocols = [Net.ServicePointManager]::SecurityProtocol
  if ([int]$protocols -ne 0) { [Net.ServicePointManager]::SecurityProtocol = $protocols -bor [Net.SecurityProtocolType]::Tls12 }

  function Get-ReleaseFile([string]$name, [string]$to) {
    foreach ($attempt in 1, 2, 3) {
      try {
        Invoke-WebRequest -UseBasicParsing -Uri "$address/$name" -OutFile $to
        return
      } catch {
        if ($attempt -eq 3) { throw "cannot fetch $address/${name}: $_" }
        Start-Sleep -Seconds $attempt
      }
    }
  }

  $id = [Guid]::NewGuid().ToString('N')
  $folder = Join-Path ([IO.Path]::GetTempPath()) "hedron-$id"
  $place = Join-Path $directory 'hedron.exe'
  $fresh = Join-Path $directory "hedron-$id.exe"
  [IO.Directory]::CreateDirectory($folder) | Out-Null
  try {
    $sums = Join-Path $folder 'SHA256SUMS'
    Get-ReleaseFile 'SHA256SUMS' $sums
    $line = Get-Content -LiteralPath $sums |
      Where-Object { $_ -match '^[0-9a-f]{64}  hedron-\d\S*-windows-x64\.exe\.gz$' } |
      Select-Object -First 1
    if (-not $line) { throw "the release at $address has no binary for windows-x64" }
    $expected, $archive = $line -split '  ', 2
    if ($version -and $archive -ne "hedron-$version-windows-x64.exe.gz") { throw "version $version is not at ${address}: it has $archive" }

    Write-Host "Downloading $archive ..."
    $packed = Join-Path $folder 'hedron.gz'
    Get-ReleaseFile $archive $packed
    $actual = (Get-FileHash -Algorithm SHA256 -LiteralPath $packed).Hash
    if ($actual -ne $expected) { throw "$archive is not what SHA256SUMS names" }

    # Unpacked beside its place, since a move from another drive is no single step, and tried before it replaces anything.
    [IO.Directory]::CreateDirectory($directory) | Out-Null
    $from = [IO.File]::OpenRead($packed)
    try {
      $gzip = New-Object IO.Compression.GZipStream($from, [IO.Compression.CompressionMode]::Decompress)
      $to = [IO.File]::Create($fresh)
      try { $gzip.CopyTo($to) } finally { $to.Dispose() }
    } finally { $from.Dispose() }
    $says = & $fresh --version
    if ($LASTEXITCODE -ne 0) { throw "$archive does not run on this machine: it ended with $LASTEXITCODE" }

    # A program that runs cannot be overwritten on Windows, but it can be moved away.
    $old = Join-Path $directory "hedron-$id.old"
    if ([IO.File]::Exists($place)) { [IO.File]::Move($place, $old) }
    try {
      [IO.File]::Move($fresh, $place)
    } catch {
      if ([IO.File]::Exists($old)) { [IO.File]::Move($old, $place) }
      throw
    }
    # What still runs stays until the next install.
    Get-ChildItem -LiteralPath $directory -Filter 'hedron*.old' | Remove-Item -Force -ErrorAction SilentlyContinue
    Write-Host "Installed $says to $place"

    $known = @($env:PATH -split ';' | ForEach-Object { $_.TrimEnd('\') })
    if ($known -notcontains $directory.TrimEnd('\')) {
      $quoted = $directory -replace "'", "''"
      Write-Host "NOTE: $directory is not on your PATH. For this window:"
      Write-Host "  `$env:PATH = '$quoted;' + `$env:PATH"
      Write-Host 'For every later one, add it to Path in the window that this opens:'
      Write-Host "  rundll32 'sysdm.cpl,EditEnvironmentVariables'"
    }
  } finally {
    foreach ($leftover in $folder, $fresh) {
      if (Test-Path -LiteralPath $leftover) { Remove-Item -Recurse -Force -LiteralPath $leftover -ErrorAction SilentlyContinue }
    }
  }
}
